import { type Operation, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Caller, Sent } from '../harness/caller.js';
import { SETUP } from '../harness/people.js';
import { FINISHED } from '../harness/reports.js';
import { type Stage, useStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

type Id = keyof typeof successes | 'setUp';
type Given = Pick<Sent<Operation>, 'headers' | 'rawBody'> & { readonly path?: object; readonly body?: object };

const operationOf = (id: Id): Operation => operations[id];
const IDS = ([...Object.keys(successes), 'setUp'] as Id[]).filter(
  (id) => operationOf(id).body && operationOf(id).bodyMode !== 'raw',
);
const LARGEST = 65_536;

const callerOf = ({ service, pipeline, browser }: Stage, { auth }: Operation): Caller => {
  if (auth.kind === 'open') return service.anonymous;
  return auth.kind === 'key' ? pipeline : browser;
};

describe('the body of every operation that takes one', () => {
  const stage = useStage();
  // Tries of the first setup are counted.
  beforeEach(() => stage().service.clock.pass(60_000));

  it('may begin with a byte order mark', async () => {
    const rawBody = `\ufeff${JSON.stringify({ name: 'Marked' })}`;
    expect((await stage().browser.ok('createTeam', { rawBody })).body.data.name).to.equal('Marked');
  });

  it('of a report may hold null for what is optional, which is as if it were not there', async () => {
    const { pipeline } = stage();
    const report = { ...FINISHED, version: null, deployed_by: null, url: null };
    const { body } = await pipeline.ok('recordDeployment', { rawBody: JSON.stringify(report) });
    expect(body.data.version).to.equal(null);
    const batch = await pipeline.ok('importDeployments', { rawBody: JSON.stringify([report]) });
    expect(batch.body.data.map(({ result }) => result)).to.deep.equal(['created']);
    for (const [name, pointer] of [
      ['environment', '/environment'],
      ['colour', '/colour'],
    ] as const) {
      const wrong = { ...report, [name]: null };
      const { errors = [] } = (
        await pipeline.refused('recordDeployment', 'invalid', { rawBody: JSON.stringify(wrong) })
      ).body;
      expect(errors.map((fault) => fault.pointer)).to.deep.equal([pointer]);
    }
  });

  for (const id of IDS) {
    const operation = operationOf(id);
    const given = async (): Promise<Given> =>
      id === 'setUp' ? { body: SETUP } : ((await successes[id](stage())) as Given);
    const refuse = async (type: Parameters<Caller['refused']>[1], change: (given: Given) => Given) => {
      const { body: _, ...sent } = await given();
      return callerOf(stage(), operation).refused(id, type, { ...sent, ...change(sent) } as never);
    };

    it(`of ${id} is JSON, well-formed`, async () => {
      const { status } = await refuse('malformed-json', () => ({ rawBody: '{"name": "a",}' }));
      expect(status).to.equal(400);
      await refuse('malformed-json', () => ({ rawBody: '{"a":1,"a":2}' }));
      const type = { 'content-type': 'text/plain' };
      await refuse('unsupported-media-type', ({ headers }) => ({ rawBody: '{}', headers: { ...headers, ...type } }));
    });

    it(`of ${id} has an end`, async () => {
      const rawBody = JSON.stringify({ name: 'x'.repeat(operation.bodyLimit ?? LARGEST) });
      const { status } = await refuse('body-too-large', () => ({ rawBody }));
      expect(status).to.equal(413);
    });

    // A batch answers for each of its records; formats of others may grow.
    if (operation.bodyMode !== 'batch' && operation.bodyMode !== 'foreign')
      it(`of ${id} holds no member that is not known`, async () => {
        const { body } = await given();
        const rawBody = JSON.stringify({ ...body, colour: 'red' });
        const { errors = [] } = (await refuse('invalid', () => ({ rawBody }))).body;
        expect(errors.map(({ pointer }) => pointer)).to.deep.equal(['/colour']);
        await refuse('invalid', () => ({ rawBody: '[]' }));
        await refuse('invalid', () => ({ rawBody: 'null' }));
      });
  }
});
