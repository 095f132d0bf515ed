import { expect } from 'chai';
import { finish } from '../../src/deployment/deployment-transition.js';
import { refusal } from '../refusal.js';
import { deploymentOf } from './deployment-of.js';

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
