import { DomainError, invalid } from '@shipworthy/domain';
import { expect } from 'chai';
import {
  domainProblem,
  faulty,
  headersOfProblem,
  Problem,
  problemBody,
  problemOf,
  withCurrent,
} from '../../src/http/problem.js';

describe('problem', () => {
  it('has every member of RFC 9457 and ours, which nothing can replace', () => {
    const problem = new Problem('name-taken', 'It is taken.', { members: { type: 'x', title: 'x', id: 'kept' } });
    expect(JSON.parse(problemBody(problem, { basePath: '', path: '/api/teams', requestId: 'r1' }, null))).to.deep.equal(
      {
        id: 'kept',
        type: '/api/docs/problems/name-taken',
        title: 'The name is taken',
        status: 409,
        detail: 'It is taken.',
        instance: '/api/teams',
        request_id: 'r1',
      },
    );
  });

  it('names every fault', () => {
    const faults = [
      { pointer: '/a', code: 'required', message: 'a is required' },
      { pointer: '/b', code: 'type', message: 'b must be text' },
    ];
    const problem = faulty(faults);
    expect(problem.status).to.equal(422);
    expect(problem.detail).to.equal('a is required; b must be text');
    expect(problem.notes.members).to.deep.equal({ errors: faults });
  });

  it('always says when to try again with 429 and 503, in whole seconds', () => {
    expect(headersOfProblem(new Problem('unavailable', 'x'))).to.deep.equal({ 'Retry-After': '1' });
    const after = (retryAfter: number) => headersOfProblem(new Problem('too-many-requests', 'x', { retryAfter }));
    expect(after(2.1)).to.deep.equal({ 'Retry-After': '3' });
    expect(after(0)).to.deep.equal({ 'Retry-After': '1' });
    expect(headersOfProblem(new Problem('name-taken', 'x'))).to.deep.equal({});
  });

  it('names the scheme with every 401', () => {
    const headers = headersOfProblem(new Problem('wrong-credentials', 'x'));
    expect(Object.keys(headers)).to.deep.equal(['WWW-Authenticate']);
    expect(headers['WWW-Authenticate']).to.match(/^Bearer /);
  });
});

const NOW = Date.UTC(2026, 10, 20);

describe('domainProblem', () => {
  it('says why a repository host cannot be asked, and not why the database cannot be reached', () => {
    const membersOf = (code: 'host-unavailable' | 'unavailable', cause: string) =>
      domainProblem(new DomainError(code, 'x', { cause }), NOW).notes.members;
    expect(membersOf('host-unavailable', 'rate_limited')).to.deep.equal({ cause: 'rate_limited' });
    expect(membersOf('unavailable', 'db1.internal:5432: refused')).to.deep.equal({});
  });

  it('answers details in wire form', () => {
    const error = new DomainError('release-active', 'Another one is.', {
      release: { id: 'r', name: '2.4', startsAt: NOW },
      maxWait: 1,
    });
    expect(domainProblem(error, NOW).notes.members).to.deep.equal({
      release: { id: 'r', name: '2.4', starts_at: '2026-11-20T00:00:00.000Z' },
      max_wait: 1,
    });
  });

  it('names faults, and the field where only the code tells it', () => {
    const faults = [{ pointer: '/total', code: 'range', message: 'total is too small' }];
    expect(domainProblem(invalid(faults), NOW).notes.members).to.deep.equal({ errors: faults });
    const unknown = domainProblem(new DomainError('unknown-app-name', 'No project.', {}), NOW);
    expect(unknown.notes.members).to.deep.equal({
      errors: [{ pointer: '/app_name', code: 'unknown-app-name', message: 'No project.' }],
    });
    expect(domainProblem(new DomainError('unknown-release', 'x'), NOW).type).to.equal('invalid');
  });

  it('says when to try again and keeps nouns that have no wire form to itself', () => {
    const attempts = domainProblem(new DomainError('too-many-attempts', 'x', { retryAfterMs: 60_000 }), NOW);
    expect(attempts.type).to.equal('too-many-requests');
    expect(attempts.notes).to.deep.equal({ members: {}, retryAfter: 60 });
    const stale = domainProblem(new DomainError('version-mismatch', 'x', { current: { secret: 1 } }), NOW);
    expect(stale.notes.members).to.deep.equal({});
  });

  it('knows a bug from a refusal', () => {
    for (const thrown of [null, undefined, 'x', new Error('x'), { code: 'forbidden' }])
      expect(problemOf(thrown, NOW)).to.equal(null);
    const problem = new Problem('internal', 'x');
    expect(problemOf(problem, NOW)).to.equal(problem);
  });
});

describe('withCurrent', () => {
  it('answers the newer state with a mismatch', async () => {
    const refused = Promise.reject(new DomainError('version-mismatch', 'Changed.', { current: { version: 3 } }));
    const caught = await withCurrent((current: { version: number }) => ({ v: current.version }), refused).catch(
      (e) => e,
    );
    expect(caught).to.be.instanceOf(Problem);
    expect(caught.notes.members).to.deep.equal({ current: { v: 3 } });
  });

  it('lets everything else pass', async () => {
    expect(await withCurrent(() => null, Promise.resolve(1))).to.equal(1);
    const other = new DomainError('forbidden', 'x');
    expect(await withCurrent(() => null, Promise.reject(other)).catch((e) => e)).to.equal(other);
  });
});
