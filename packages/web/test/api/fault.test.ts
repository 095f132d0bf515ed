import { ConnectionError, ProblemError, TimeoutError } from '@shipworthy/client';
import { expect } from 'chai';
import { besidesFields, callFaultOf, fieldText } from '../../src/api/fault.js';

const CIRCUMSTANCES = { operation: 'readGate', attempts: 1, requestId: 'r-1', idempotencyKey: null } as const;

const problem = (status: number, type: string, more: object = {}) =>
  new ProblemError(
    {
      type: `https://x/api/docs/problems/${type}`,
      title: 'Title',
      status,
      detail: 'Detail.',
      instance: '/',
      request_id: 'r-1',
      ...more,
    },
    null,
    CIRCUMSTANCES,
  );

describe('callFaultOf', () => {
  it('names every field that is wrong', () => {
    const errors = [{ pointer: '/name', code: 'minLength', message: 'is empty' }];
    expect(callFaultOf(problem(422, 'invalid', { errors })).fields).to.deep.equal({ '/name': 'is empty' });
  });

  it('knows an ended session and a newer state', () => {
    expect(callFaultOf(problem(401, 'unauthenticated')).signedOut).to.equal(true);
    expect(callFaultOf(problem(412, 'version-mismatch', { current: { version: 2 } })).current).to.deep.equal({
      version: 2,
    });
  });

  it('knows a reason that is worse now, and the release in the way', () => {
    const current = { code: 'open_critical_bugs', actual: 6 };
    expect(callFaultOf(problem(409, 'reason-worse', { current })).current).to.deep.equal(current);
    const active = { id: 'r', name: '2.6; the big one' };
    expect(callFaultOf(problem(409, 'release-active', { active })).active).to.deep.equal(active);
    expect(callFaultOf(problem(409, 'name-taken', { current, active }))).to.include({
      current: undefined,
      active: undefined,
    });
  });

  it('names the problem, where one was answered', () => {
    expect(callFaultOf(problem(404, 'not-found')).type).to.equal('not-found');
    expect(callFaultOf(new ConnectionError('refused', null, CIRCUMSTANCES)).type).to.equal(null);
  });

  it('says whether the same may succeed later', () => {
    const faults = [
      problem(429, 'too-many-requests'),
      problem(503, 'unavailable'),
      new ConnectionError('refused', null, CIRCUMSTANCES),
      problem(409, 'name-taken'),
      problem(500, 'internal'),
    ];
    expect(faults.map((error) => callFaultOf(error).mayPass)).to.deep.equal([true, true, true, false, false]);
  });

  it('says whether an earlier try of the call may have been carried out', () => {
    const open = [
      new ConnectionError('refused', null, CIRCUMSTANCES),
      new TimeoutError(15_000, CIRCUMSTANCES),
      problem(401, 'unauthenticated'),
      problem(409, 'idempotency-key-in-use'),
      problem(429, 'too-many-requests'),
      problem(500, 'internal'),
      problem(503, 'unavailable'),
    ];
    expect(open.filter((error) => !callFaultOf(error).mayBeDone)).to.deep.equal([]);
    const answered = [problem(422, 'idempotency-key-reused'), problem(422, 'invalid'), problem(409, 'name-taken')];
    expect(answered.filter((error) => callFaultOf(error).mayBeDone)).to.deep.equal([]);
  });

  it('keeps the words of anything else', () => {
    expect(callFaultOf(new Error('odd')).message).to.equal('odd');
    expect(callFaultOf('odd').message).to.equal('odd');
  });
});

describe('the fault of a field', () => {
  it('is said in words for the person who fills it in', () => {
    const said: readonly (readonly [pointer: string, message: string, words: string])[] = [
      ['/name', 'name must not be empty', 'Fill this in.'],
      ['/email', 'email is required', 'Fill this in.'],
      ['/scopes', 'scopes must have 1 item or more', 'Choose one at least.'],
      ['/reason', 'reason must have 500 characters or fewer', 'Enter 500 characters or fewer.'],
      ['/new_password', 'new_password must have 12 characters or more', 'Enter 12 characters or more.'],
      ['/email', 'email must be an e-mail address', 'Enter an email address, such as ada@example.org.'],
      ['/total', 'total must be 1 or more', 'Must be 1 or more.'],
      ['/mapping/bug/0', '0 must not be empty', 'Fill this in.'],
      [
        '/expires_at',
        'A waiver expires after now and within 90 days.',
        'A waiver expires after now and within 90 days.',
      ],
    ];
    for (const [pointer, message, words] of said) expect(fieldText(pointer, message)).to.equal(words);
  });

  it('is left out of what is said above a form that has its field', () => {
    const errors = [
      { pointer: '/name', code: 'minLength', message: 'name must not be empty' },
      { pointer: '/mapping/bug/0', code: 'minLength', message: '0 must not be empty' },
    ];
    const fault = callFaultOf(problem(422, 'invalid', { errors }));
    expect(besidesFields(fault, ['/name', '/mapping'])).to.equal(undefined);
    expect(besidesFields(fault, ['/name'])?.fields).to.deep.equal({ '/mapping/bug/0': 'Fill this in.' });
    expect(besidesFields(callFaultOf(problem(409, 'name-taken')), ['/name'])?.message).to.equal('Detail.');
    expect(besidesFields(undefined, [])).to.equal(undefined);
  });
});
