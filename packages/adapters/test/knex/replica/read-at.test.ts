import { expect } from 'chai';
import type { CarryOut } from '../../../src/knex/postgres-client.js';
import { type Progress, type Reading, readAt } from '../../../src/knex/replica/read-at.js';

const FRESH: Progress = { follows: true, fresh: true, behind: 0.1 };
const BEHIND: Progress = { follows: true, fresh: false, behind: 3 };
const STRANGER: Progress = { follows: false, fresh: true, behind: null };

/** A replica that says these one after the other, the last one for ever, and answers each read with its number. Pauses take no time. */
const replicaThatSays = (...says: readonly Progress[]) => {
  const sent: string[] = [];
  const carryOut: CarryOut = async ({ name, values }) => {
    if (name !== 'replica_progress') return [sent.push('read')];
    expect(values).to.deep.equal(['db 1 00000001', '0/5']);
    sent.push('progress');
    return [says[Math.min(sent.filter((each) => each === 'progress').length, says.length) - 1]];
  };
  const noted: Progress[] = [];
  const pauses: number[] = [];
  const read = (changes: Partial<Reading> = {}) =>
    readAt(carryOut, {
      position: { log: 'db 1 00000001', lsn: '0/5' },
      statement: { text: 'select 1' },
      waitMs: 30,
      pause: async (ms) => void pauses.push(ms),
      together: false,
      noted: (progress) => void noted.push(progress),
      abandoned: () => false,
      ...changes,
    });
  return { read, sent, noted, pauses };
};

describe('readAt', () => {
  it('begins to read when the replica was seen to be far enough', async () => {
    const { read, sent, noted } = replicaThatSays(BEHIND, BEHIND, FRESH);
    expect(await read()).to.deep.equal({ rows: [4] });
    expect(sent).to.deep.equal(['progress', 'progress', 'progress', 'read']);
    expect(noted).to.deep.equal([BEHIND, BEHIND, FRESH]);
  });

  it('reads in the same round trip, and uses what comes only if it was far enough before', async () => {
    const fresh = replicaThatSays(FRESH);
    expect(await fresh.read({ together: true })).to.deep.equal({ rows: [2] });
    expect(fresh.sent).to.deep.equal(['progress', 'read']);
    const behind = replicaThatSays(BEHIND, FRESH);
    expect(await behind.read({ together: true })).to.deep.equal({ rows: [4] });
    expect(behind.sent).to.deep.equal(['progress', 'read', 'progress', 'read']);
  });

  it('pauses so long and no longer, each time twice as long', async () => {
    const { read, sent, pauses } = replicaThatSays(BEHIND);
    expect(await read()).to.equal('behind');
    expect(pauses).to.deep.equal([1, 2, 4, 8]);
    expect(sent).to.deep.equal(Array.from({ length: 5 }, () => 'progress'));
  });

  it('does not wait for what is no replica of that database', async () => {
    const { read, sent } = replicaThatSays(STRANGER);
    expect(await read()).to.equal('stranger');
    expect(sent).to.deep.equal(['progress']);
  });

  it('looks without reading', async () => {
    const { read, sent } = replicaThatSays(FRESH);
    expect(await read({ statement: null, together: true })).to.deep.equal({ rows: [] });
    expect(sent).to.deep.equal(['progress']);
  });

  it('asks nothing when nobody waits any more', async () => {
    const { read, sent } = replicaThatSays(FRESH);
    expect(await read({ abandoned: () => true })).to.equal('behind');
    expect(sent).to.deep.equal([]);
  });
});
