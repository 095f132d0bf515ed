import { expect } from 'chai';
import fc from 'fast-check';
import { isTransient, mayRepeat, waitBefore } from '../src/repetition.js';
import { ROUTES, type Route } from '../src/routes.js';

describe('mayRepeat', () => {
  it('takes reading, deleting, keyed and repeatable calls, and no other', () => {
    const routes = Object.entries<Route>(ROUTES);
    const once = routes.filter(([, route]) => !mayRepeat(route)).map(([id]) => id);
    expect(once).to.deep.equal([
      'setUp',
      'signIn',
      'changePassword',
      'createInvitation',
      'acceptInvitation',
      'joinTeam',
      'acceptReceivedInvitation',
      'declineReceivedInvitation',
      'nameOwner',
      'renameTeam',
      'addMember',
      'changeMemberRole',
      'renameProject',
      'replacePolicy',
      'showBadge',
      'changeRelease',
      'activateRelease',
      'parkRelease',
      'shipRelease',
      'cancelRelease',
      'changeChecklistItem',
      'restoreChecklistItem',
      'confirmChecklistItem',
      'replaceChecklistTemplate',
      'changeIssue',
      'setTestRunAside',
      'restoreTestRun',
      'connectHost',
      'connectHostByToken',
      'importIssues',
      'receiveHook',
      'createWebhook',
      'changeWebhook',
      'rotateWebhookSecret',
      'replayDelivery',
      'createApiKey',
    ]);
  });
});

describe('isTransient', () => {
  it('takes exactly the statuses that may change by themselves', () => {
    const transient = Array.from({ length: 500 }, (_, i) => i + 100).filter(isTransient);
    expect(transient).to.deep.equal([408, 425, 429, 500, 502, 503, 504]);
  });
});

describe('waitBefore', () => {
  it('stays below a bound that doubles up to 5 seconds', () => {
    const bounds = [200, 400, 800, 1600, 3200, 5000, 5000];
    expect(bounds.map((_, i) => waitBefore(i + 2, null, 1))).to.deep.equal(bounds);
    expect(waitBefore(4, null, 0)).to.equal(0);
    expect(waitBefore(4, null, 0.5)).to.equal(400);
  });

  it('never comes back before the service asked to, and at most a tenth later', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (asked, random) => {
        const wait = waitBefore(2, asked, random);
        return wait >= asked && wait <= asked * 1.1;
      }),
    );
  });
});
