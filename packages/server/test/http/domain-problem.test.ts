import { DomainError, invalid } from '@shipworthy/domain';
import { expect } from 'chai';
import { domainProblem, problemOf, withCurrent } from '../../src/http/domain-problem.js';
import { Problem } from '../../src/http/problem.js';

const NOW = Date.UTC(2026, 10, 20);

describe('domainProblem', () => {
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
