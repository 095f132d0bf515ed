import { expect } from 'chai';
import { deploymentAttribution } from '../src/attribution.js';
import { DomainError } from '../src/errors.js';
import {
  heldReceipts,
  isLate,
  logReceipt,
  prepareEntry,
  type ReportEntry,
  type ReportOutcome,
  recordedOrThrow,
  releasesDiffer,
  remembered,
  storePrepared,
} from '../src/pipeline-report.js';
import { projectAt } from './attribution/project-at.js';
import { deploymentOf } from './deployment/deployment-of.js';
import { refusal } from './refusal.js';

const request = { caller: 'k1', operation: 'POST /api/deployments', key: 'a', fingerprint: 'f', at: 1 };

describe('The reply to a report', () => {
  it('is ready before the record is stored', () => {
    const reply = (view: string) => ({ status: 201, location: null, body: view });
    expect(remembered({ request, reply }, 'view')).to.deep.equal({ request, reply: reply('view') });
    expect(remembered(null, 'view')).to.equal(null);
  });
  it('tells created, duplicate, replayed and key_reused apart', () => {
    const reply = { status: 201, location: null, body: '{}' };
    expect(recordedOrThrow({ result: 'created' })).to.deep.equal({ outcome: 'created' });
    expect(recordedOrThrow({ result: 'duplicate', id: 'd0' })).to.deep.equal({ outcome: 'duplicate', id: 'd0' });
    expect(recordedOrThrow({ result: 'replayed', reply })).to.deep.equal({ outcome: 'replayed', reply });
    expect(recordedOrThrow({ result: 'key_reused' })).to.deep.equal({ outcome: 'key_reused' });
  });
  it('refuses what the store refused', () => {
    const conflict = refusal(
      () => recordedOrThrow({ result: 'external_id_conflict', id: 'd0' }),
      'external-id-conflict',
    );
    expect(conflict.details).to.deep.equal({ id: 'd0' });
    expect(conflict.message).to.equal('The external id belongs to a record with other content.');
    const closed = refusal(() => recordedOrThrow({ result: 'release_closed', releaseId: 'r1' }), 'release-closed');
    expect(closed.details).to.deep.equal({ release_id: 'r1' });
    expect(closed.message).to.equal('The release was shipped or canceled.');
    const gone = refusal(() => recordedOrThrow({ result: 'not_found' }), 'not-found');
    expect(gone.details).to.deep.equal({ what: 'project' });
  });
  it('throws on what went wrong, and what no new record is answered with', () => {
    expect(() => recordedOrThrow({ result: 'failed', error: new RangeError('bad') })).to.throw(RangeError, 'bad');
    expect(() => recordedOrThrow({ result: 'finished', deployment: deploymentOf() })).to.throw('finished');
  });
});

describe('A receipt made before the record is stored', () => {
  it('is read anew where the store says that it came late', () => {
    expect(isLate({ result: 'created' })).to.equal(false);
    expect(isLate({ result: 'created', late: true })).to.equal(true);
    expect(isLate({ result: 'finished', deployment: deploymentOf(), late: true })).to.equal(true);
  });
  it('is late where other releases hold the start than it says, in any order', () => {
    expect(releasesDiffer(undefined, ['r1'])).to.equal(false);
    expect(releasesDiffer(['r1', 'r2'], ['r2', 'r1'])).to.equal(false);
    for (const [said, holding] of [
      [[], ['r1']],
      [['r1'], []],
      [['r1'], ['r2']],
      [
        ['r1', 'r2'],
        ['r1', 'r3'],
      ],
    ] as const)
      expect(releasesDiffer(said, holding), `${said} and ${holding}`).to.equal(true);
  });
});

const receiptLog = () => {
  const told: string[] = [];
  return { told, notCounted: (...given: readonly string[]) => void told.push(given.join(' ')) };
};

describe('The log of receipts', () => {
  it('is told what counts for no release, and nothing of what counts', () => {
    const log = receiptLog();
    logReceipt(log, 'deployment', deploymentAttribution(deploymentOf({ status: 'success' }), projectAt()));
    expect(log.told).to.deep.equal([]);
    logReceipt(log, 'deployment', deploymentAttribution(deploymentOf(), projectAt()));
    expect(log.told).to.deep.equal(['deployment still_in_progress']);
  });
  it('can be held back until the records are stored, and is told each receipt once', () => {
    const log = receiptLog();
    const held = heldReceipts(log);
    held.release();
    held.notCounted('deployment', 'no_release_window');
    held.notCounted('test_run', 'release_frozen');
    expect(log.told).to.deep.equal([]);
    const both = ['deployment no_release_window', 'test_run release_frozen'];
    held.release();
    expect(log.told).to.deep.equal(both);
    held.release();
    expect(log.told).to.deep.equal(both);
  });
});

const entry: ReportEntry = { kind: 'deployment', deployment: deploymentOf(), remember: null };
const REFUSAL = new DomainError('invalid', 'No.');
const answering = (...outcomes: readonly ReportOutcome[]) => ({ record: async () => outcomes });

describe('The outcomes of an import', () => {
  it('come in input order, refused ones among stored ones', async () => {
    const prepared = [{ id: 'a', entry }, { refusal: REFUSAL }, { id: 'b', entry }];
    const store = answering({ result: 'created' }, { result: 'duplicate', id: 'old' });
    expect(await storePrepared(store, prepared)).to.deep.equal([
      { result: 'created', id: 'a' },
      { result: 'refused', refusal: REFUSAL },
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
    const refused = outcome?.result === 'refused' ? outcome.refusal : undefined;
    expect([refused?.code, refused?.message]).to.deep.equal(['unavailable', 'It could not be stored; send it again.']);
  });
  it('throw on what no new record is answered with', async () => {
    const store = answering({ result: 'finished', deployment: deploymentOf() });
    const thrown = await storePrepared(store, [{ id: 'a', entry }]).catch((error: Error) => error.message);
    expect(thrown).to.equal('A new record cannot be answered with finished.');
  });
  it('need no store when nothing is good', async () => {
    const store = {
      record: async (): Promise<never> => {
        throw new Error('asked');
      },
    };
    expect(await storePrepared(store, [{ refusal: REFUSAL }])).to.deep.equal([{ result: 'refused', refusal: REFUSAL }]);
  });
  it('throw on when the store answers for fewer', async () => {
    const thrown = await storePrepared(answering(), [{ id: 'a', entry }]).catch((error: Error) => error.message);
    expect(thrown).to.contain('fewer');
  });
  it('take refusals for answers and bugs for bugs', () => {
    const throwing = (error: Error) => () => {
      throw error;
    };
    expect(prepareEntry(throwing(REFUSAL))).to.deep.equal({ refusal: REFUSAL });
    expect(() => prepareEntry(throwing(new TypeError('bug')))).to.throw(TypeError);
  });
});
