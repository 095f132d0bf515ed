import { expect } from 'chai';
import { settleTimes, timesFaults } from '../../src/deployment/deployment-times.js';
import { pointers } from '../refusal.js';

const NOW = 1_000_000;
const LEAD = 300_000;
const none = { startedAt: null, finishedAt: null };

describe('Times of a deployment', () => {
  it('of a one-call record without times are all three equal', () => {
    expect(settleTimes({ status: 'success', ...none }, NOW)).to.deep.equal({
      startedAt: NOW,
      finishedAt: NOW,
      createdAt: NOW,
    });
  });
  it('of a started one are the clock, and no finish', () => {
    expect(settleTimes({ status: 'started', ...none }, NOW)).to.deep.equal({
      startedAt: NOW,
      finishedAt: null,
      createdAt: NOW,
    });
  });
  it('are the caller’s on an import', () => {
    const given = { status: 'failure', startedAt: 5, finishedAt: 9 } as const;
    expect(timesFaults(given, NOW)).to.deep.equal([]);
    expect(settleTimes(given, NOW)).to.deep.equal({ startedAt: 5, finishedAt: 9, createdAt: NOW });
  });
  it('end at the clock without a finish, but never before the start', () => {
    expect(settleTimes({ status: 'success', startedAt: 5, finishedAt: null }, NOW).finishedAt).to.equal(NOW);
    expect(settleTimes({ status: 'success', startedAt: NOW + 9, finishedAt: null }, NOW).finishedAt).to.equal(NOW + 9);
  });
  it('may lie 5 minutes ahead and no more', () => {
    const at = (moment: number) => ({ status: 'success', startedAt: moment, finishedAt: moment }) as const;
    expect(timesFaults(at(NOW + LEAD), NOW)).to.deep.equal([]);
    expect(pointers(timesFaults(at(NOW + LEAD + 1), NOW))).to.deep.equal(['/started_at', '/finished_at']);
  });
  it('have a finish with a final status only', () => {
    const faults = timesFaults({ status: 'started', startedAt: 5, finishedAt: 9 }, NOW);
    expect(faults.map((fault) => fault.code)).to.deep.equal(['not-final']);
  });
  it('have a finish at or after the start', () => {
    const ending = (finishedAt: number) => timesFaults({ status: 'success', startedAt: 5, finishedAt }, NOW);
    expect(ending(5)).to.deep.equal([]);
    expect(ending(4).map((fault) => [fault.pointer, fault.code])).to.deep.equal([['/finished_at', 'before-start']]);
  });
  it('have a finish no earlier than the clock when the start is left to it', () => {
    expect(pointers(timesFaults({ status: 'success', startedAt: null, finishedAt: NOW - 1 }, NOW))).to.deep.equal([
      '/finished_at',
    ]);
  });
  it('name every fault at once', () => {
    const faults = timesFaults({ status: 'started', startedAt: NOW + LEAD + 2, finishedAt: NOW + LEAD + 1 }, NOW);
    expect(faults.map((fault) => fault.code)).to.deep.equal(['in-future', 'in-future', 'not-final', 'before-start']);
    expect(faults.map((fault) => fault.message)).to.deep.equal([
      "started_at lies more than 5 minutes ahead of the service's clock.",
      "finished_at lies more than 5 minutes ahead of the service's clock.",
      'finished_at goes with the status success or failure only.',
      'finished_at lies before started_at (the clock, when left out).',
    ]);
  });
});
