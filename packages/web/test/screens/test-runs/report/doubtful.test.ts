import { openAsBlob, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { BrokenReport } from '../../../../src/screens/test-runs/report/broken-report.js';
import { readReport } from '../../../../src/screens/test-runs/report/read-report.js';

type Expected =
  | { readonly counts: readonly number[]; readonly doubts: readonly string[] }
  | { readonly broken: string };

/** The reports by which the command is tested; the browser must count them as it does. */
const FOLDER = fileURLToPath(new URL('../../../../../../cli/test/test-reports/doubtful/', import.meta.url));
const EXPECTED: Readonly<Record<string, Expected>> = JSON.parse(readFileSync(`${FOLDER}expected.json`, 'utf8'));
/** What the browser reads. */
const READ = /^(junit|ctrf)-/;

const outcomeOf = async (name: string) => {
  try {
    const { passed, failed, errored, skipped, doubts } = await readReport(await openAsBlob(`${FOLDER}${name}`));
    return { counts: [passed, failed, errored, skipped], doubts };
  } catch (error) {
    if (error instanceof BrokenReport) return { broken: error.message };
    throw error;
  }
};

describe('reports that are not to be taken at their word, in the browser', () => {
  for (const [name, expected] of Object.entries(EXPECTED).filter(([file]) => READ.test(file)))
    it(`come to what they come to by the command: ${name}`, async () => {
      const outcome = await outcomeOf(name);
      if ('broken' in expected) expect(outcome).to.have.property('broken').that.contains(expected.broken);
      else expect(outcome).to.deep.equal(expected);
    });

  it('are refused in formats that are not read here', async () => {
    for (const name of Object.keys(EXPECTED).filter((file) => !READ.test(file)))
      expect(await outcomeOf(name), name).to.have.property('broken');
  });
});
