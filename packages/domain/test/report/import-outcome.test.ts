import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import { prepare, storePrepared } from '../../src/report/import-outcome.js';
import type { ReportEntry, ReportOutcome } from '../../src/report/report-store.js';
import { deploymentOf } from '../deployment/deployment-of.js';

const entry: ReportEntry = { kind: 'deployment', deployment: deploymentOf(), remember: null };
const refusal = new DomainError('invalid', 'No.');
const answering = (...outcomes: readonly ReportOutcome[]) => ({ record: async () => outcomes });

describe('The outcomes of an import', () => {
  it('come in input order, refused ones among stored ones', async () => {
    const prepared = [{ id: 'a', entry }, { refusal }, { id: 'b', entry }];
    const store = answering({ result: 'created' }, { result: 'duplicate', id: 'old' });
    expect(await storePrepared(store, prepared)).to.deep.equal([
      { result: 'created', id: 'a' },
      { result: 'refused', refusal },
      { result: 'duplicate', id: 'old' },
    ]);
  });
  it('refuse same id with other content', async () => {
    const [outcome] = await storePrepared(answering({ result: 'external_id_conflict', id: 'old' }), [
      { id: 'a', entry },
    ]);
    expect(outcome?.result === 'refused' && outcome.refusal.code).to.equal('external-id-conflict');
  });
  it('refuse what alone could not be stored, to be sent again', async () => {
    const [outcome] = await storePrepared(answering({ result: 'failed', error: new Error('x') }), [{ id: 'a', entry }]);
    expect(outcome?.result === 'refused' && outcome.refusal.code).to.equal('unavailable');
  });
  it('need no store when nothing is good', async () => {
    const store = {
      record: async (): Promise<never> => {
        throw new Error('asked');
      },
    };
    expect(await storePrepared(store, [{ refusal }])).to.deep.equal([{ result: 'refused', refusal }]);
  });
  it('throw on when the store answers for fewer', async () => {
    const thrown = await storePrepared(answering(), [{ id: 'a', entry }]).catch((error: Error) => error.message);
    expect(thrown).to.contain('fewer');
  });
  it('take refusals for answers and bugs for bugs', () => {
    const throwing = (error: Error) => () => {
      throw error;
    };
    expect(prepare(throwing(refusal))).to.deep.equal({ refusal });
    expect(() => prepare(throwing(new TypeError('bug')))).to.throw(TypeError);
  });
});
