import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BrokenReport } from '../src/tally.js';
import { figures, ROOM, read, readTool } from './reading.js';

/** What a report comes to: its counts and why it is doubted, or a part of the sentence that calls it broken. */
type Expected =
  | { readonly counts: readonly number[]; readonly doubts: readonly string[] }
  | { readonly broken: string };

const FOLDER = join(ROOM, 'doubtful');
const EXPECTED: Readonly<Record<string, Expected>> = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'));

const outcomeOf = async (name: string, size: number) => {
  try {
    const counts = await read(readFileSync(join(FOLDER, name)), 'auto', size);
    return { counts: figures(counts), doubts: counts.doubts };
  } catch (error) {
    if (error instanceof BrokenReport) return { broken: error.message };
    throw error;
  }
};

describe('reports that are not to be taken at their word', () => {
  for (const [name, expected] of Object.entries(EXPECTED))
    it(`are never greener than they are: ${name}`, async () => {
      for (const size of [1, 7, 65_536]) {
        const outcome = await outcomeOf(name, size);
        if ('broken' in expected) expect(outcome).to.have.property('broken').that.contains(expected.broken);
        else expect(outcome).to.deep.equal(expected);
      }
    });

  it('are all expected to come to something', () => {
    expect(readdirSync(FOLDER)).to.have.members([...Object.keys(EXPECTED), 'expected.json']);
  });

  it('are none that a tool really wrote', async () => {
    for (const tool of readdirSync(join(ROOM, 'from-tools')))
      for (const file of readdirSync(join(ROOM, 'from-tools', tool)))
        expect((await readTool(`${tool}/${file}`)).doubts, `${tool}/${file}`).to.deep.equal([]);
  });
});
