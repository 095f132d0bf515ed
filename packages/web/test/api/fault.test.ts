import { ConnectionError, ProblemError } from '@shipworthy/client';
import { expect } from 'chai';
import { faultOf } from '../../src/api/fault.js';

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

describe('faultOf', () => {
  it('names every field that is wrong', () => {
    const errors = [{ pointer: '/name', code: 'minLength', message: 'is empty' }];
    expect(faultOf(problem(422, 'invalid', { errors })).fields).to.deep.equal({ '/name': 'is empty' });
  });

  it('tells what may pass by itself from what does not', () => {
    expect(faultOf(problem(503, 'unavailable')).passing).to.equal(true);
    expect(faultOf(problem(429, 'too-many-requests')).passing).to.equal(true);
    expect(faultOf(problem(409, 'release-state')).passing).to.equal(false);
    expect(faultOf(new ConnectionError('refused', null, CIRCUMSTANCES)).passing).to.equal(true);
  });

  it('knows an ended session and a newer state', () => {
    expect(faultOf(problem(401, 'unauthenticated')).signedOut).to.equal(true);
    expect(faultOf(problem(412, 'version-mismatch', { current: { version: 2 } })).current).to.deep.equal({
      version: 2,
    });
  });

  it('names the problem, where one was answered', () => {
    expect(faultOf(problem(404, 'not-found')).type).to.equal('not-found');
    expect(faultOf(new ConnectionError('refused', null, CIRCUMSTANCES)).type).to.equal(null);
  });

  it('keeps the words of anything else', () => {
    expect(faultOf(new Error('odd')).message).to.equal('odd');
    expect(faultOf('odd').message).to.equal('odd');
  });
});
