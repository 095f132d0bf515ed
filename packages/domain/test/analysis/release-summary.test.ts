import { expect } from 'chai';
import { gatheredRelease, type ReleaseRecord, releaseSummary } from '../../src/analysis/release-summary.js';
import { event } from './issue-lives.js';
import { record } from './release-records.js';

const summary = (release: ReleaseRecord, at: number) => releaseSummary(gatheredRelease(release), at);

describe('A release summary', () => {
  it('tells duration, lead, work and deployments', () => {
    const first = { startedAt: 40, succeededAt: 55 };
    const events = [event('a', 'added', 5), event('b', 'added', 20, 'bug'), event('a', 'done', 30)];
    const shipped = record({ startsAt: 10, shippedAt: 100, events, first, deployments: { succeeded: 3, failed: 1 } });
    expect(summary(shipped, 100)).to.deep.equal({
      id: 'r1',
      name: '1.0',
      startsAt: 10,
      shippedAt: 100,
      duration: 90,
      issues: { done: 1, total: 2 },
      bugs: { open: 1, total: 1 },
      scope: {
        beforeStart: { added: 1, removed: 0, canceled: 0, net: 1 },
        afterStart: { added: 1, removed: 0, canceled: 0, net: 1 },
        changeRate: 1,
      },
      deployments: { succeeded: 3, failed: 1 },
      lead: { firstDeploymentAt: 40, firstSuccessAt: 55, toFirstSuccess: 15, toShipping: 60 },
    });
  });
  it('has no duration and no lead before there are any', () => {
    const open = summary(record({ startsAt: 10 }), 50);
    expect(open.duration).to.equal(null);
    const none = { firstDeploymentAt: null, firstSuccessAt: null, toFirstSuccess: null, toShipping: null };
    expect(open.lead).to.deep.equal(none);
    const failing = record({ first: { startedAt: 40, succeededAt: null }, shippedAt: 100 });
    expect(summary(failing, 100).lead).to.include({ toFirstSuccess: null, toShipping: 60 });
    expect(summary(failing, 100).duration).to.equal(null);
  });
});
