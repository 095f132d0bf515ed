import { expect } from 'chai';
import {
  countsAsReturn,
  deploymentFaults,
  deploymentFrom,
  finish,
  namesOfDeployment,
  settleTimes,
  timesFaults,
} from '../src/deployment.js';
import { deploymentOf } from './deployment/deployment-of.js';
import { pointers, refusal } from './refusal.js';
import { deploymentReport } from './report/report-of.js';

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
  it('have a finish ahead of the clock moved to the clock, or to the start if that is later', () => {
    const finishedAt = NOW + LEAD;
    expect(settleTimes({ status: 'success', startedAt: 5, finishedAt }, NOW).finishedAt).to.equal(NOW);
    expect(settleTimes({ status: 'failure', startedAt: NOW + 9, finishedAt }, NOW).finishedAt).to.equal(NOW + 9);
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

const end = (status: 'success' | 'failure') => ({ status, finishedAt: 160, durationSeconds: 42 }) as const;

describe('Transitions of a deployment', () => {
  for (const status of ['success', 'failure'] as const) {
    it(`started -> ${status}, duration_seconds may be set`, () => {
      expect(finish(deploymentOf(), end(status))).to.deep.equal(
        deploymentOf({ status, finishedAt: 160, durationSeconds: 42 }),
      );
    });
    it(`${status} repeated with the same duration, or none, leaves the record unchanged`, () => {
      const ended = deploymentOf({ status, finishedAt: 120, durationSeconds: 42 });
      expect(finish(ended, end(status))).to.equal(ended);
      expect(finish(ended, { ...end(status), durationSeconds: null })).to.equal(ended);
    });
    for (const durationSeconds of [null, 41.5])
      it(`${status} is final: another duration than ${durationSeconds ?? 'none'} is refused`, () => {
        const ended = deploymentOf({ status, finishedAt: 120, durationSeconds });
        const refused = refusal(() => finish(ended, end(status)), 'deployment-finished');
        const took = durationSeconds === null ? 'without a duration' : `after ${durationSeconds} seconds`;
        expect(refused.message).to.equal(`The deployment has finished already, with ${status} ${took}.`);
      });
    it(`${status} is final: the other status is refused`, () => {
      const ended = deploymentOf({ status, finishedAt: 120 });
      const other = status === 'success' ? 'failure' : 'success';
      const refused = refusal(() => finish(ended, end(other)), 'deployment-finished');
      expect(refused.details).to.deep.equal({ status });
      expect(refused.message).to.equal(`The deployment has finished already, with ${status}.`);
    });
  }
  it('keep the duration of the start when the finish has none', () => {
    const started = deploymentOf({ durationSeconds: 7 });
    expect(finish(started, { ...end('success'), durationSeconds: null }).durationSeconds).to.equal(7);
  });
  it('never end before the start', () => {
    expect(finish(deploymentOf({ startedAt: 500 }), end('success')).finishedAt).to.equal(500);
  });
});

describe('A deployment report', () => {
  it('becomes a record of the project with the clock’s times', () => {
    const { projectId: _, ...said } = deploymentReport();
    expect(deploymentFrom(deploymentReport({ projectId: 'other' }), 'p1', 'd1', 700)).to.deep.equal({
      ...said,
      id: 'd1',
      projectId: 'p1',
      startedAt: 700,
      finishedAt: 700,
      createdAt: 700,
    });
  });
  it('keeps the duration as reported, with any times', () => {
    const record = deploymentFrom(deploymentReport({ durationSeconds: 999.5 }), 'p1', 'd1', 700);
    expect([record.durationSeconds, record.startedAt, record.finishedAt]).to.deep.equal([999.5, 700, 700]);
  });
  for (const durationSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1])
    it(`refuses a duration of ${durationSeconds}`, () => {
      const faults = deploymentFaults(deploymentReport({ durationSeconds }), 700);
      const message = 'duration_seconds is finite and at least 0.';
      expect(faults).to.deep.equal([{ pointer: '/duration_seconds', code: 'out-of-range', message }]);
    });
  it('takes a duration of 0 and none', () => {
    expect(deploymentFaults(deploymentReport({ durationSeconds: 0 }), 700)).to.deep.equal([]);
    expect(deploymentFaults(deploymentReport(), 700)).to.deep.equal([]);
  });
  it('names every fault at once', () => {
    const report = deploymentReport({ durationSeconds: -1, startedAt: 9, finishedAt: 8 });
    const faults = deploymentFaults(report, 700).map((fault) => fault.pointer);
    expect(faults).to.deep.equal(['/finished_at', '/duration_seconds']);
  });
});

describe('A deployment', () => {
  it('counts as a return only once it has succeeded', () => {
    for (const status of ['started', 'success', 'failure'] as const) {
      expect(countsAsReturn({ status, isReturn: true }), status).to.equal(status === 'success');
      expect(countsAsReturn({ status, isReturn: false }), status).to.equal(false);
    }
  });
  it('is found by its commit, version and environment', () => {
    expect(namesOfDeployment(deploymentOf({ version: '1.4.0' }))).to.equal('abcdef0 1.4.0 production');
    expect(namesOfDeployment(deploymentOf()).split(/\s+/)).to.deep.equal(['abcdef0', 'production']);
  });
});
