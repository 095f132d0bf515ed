import { expect } from 'chai';
import fc from 'fast-check';
import { isTransient, mayRepeat, retryAfter, waitBefore } from '../src/repetition.js';
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

describe('retryAfter', () => {
  const of = (value: string, date?: string) =>
    retryAfter(new Headers({ 'retry-after': value, ...(date === undefined ? {} : { date }) }));

  it('reads seconds', () => {
    expect(of('0')).to.equal(0);
    expect(of(' 7 ')).to.equal(7000);
  });

  it("reads dates by the answer's own clock, never below 0", () => {
    const date = 'Fri, 20 Nov 2026 09:30:00 GMT';
    expect(of('Fri, 20 Nov 2026 09:30:09 GMT', date)).to.equal(9000);
    expect(of('Fri, 20 Nov 2026 09:29:00 GMT', date)).to.equal(0);
  });

  it('reads dates by the own clock when the answer has none', () => {
    const soon = new Date(performance.timeOrigin + performance.now() + 60_000).toUTCString();
    expect(of(soon)).to.be.within(55_000, 60_000);
  });

  it('makes nothing of anything else', () => {
    for (const text of ['', 'soon', '-']) expect(of(text), text).to.equal(null);
    expect(retryAfter(new Headers())).to.equal(null);
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
