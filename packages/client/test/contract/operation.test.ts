import { expect } from 'chai';
import { type Operation, problemsOf, statusOf } from '../../src/contract/operation.js';
import { operations } from '../../src/contract/operations.js';
import { PROBLEMS } from '../../src/contract/problem.js';

describe('problemsOf', () => {
  it('adds to its own what follows from authentication, input, idempotency and limits', () => {
    expect(problemsOf(operations.recordTestRun)).to.have.members([
      'no-active-release',
      'release-closed',
      'external-id-conflict',
      'malformed-json',
      'unauthenticated',
      'missing-scope',
      'cross-site',
      'forbidden',
      'not-found',
      'method-not-allowed',
      'idempotency-key-in-use',
      'idempotency-key-reused',
      'body-too-large',
      'unsupported-media-type',
      'body-consumed',
      'invalid',
      'too-many-requests',
      'internal',
      'unavailable',
    ]);
  });

  it('names nothing that cannot happen', () => {
    expect(problemsOf(operations.checkAlive)).to.deep.equal([
      'method-not-allowed',
      'invalid',
      'internal',
      'unavailable',
    ]);
    expect(problemsOf(operations.listTeams)).not.to.include.oneOf(['not-found', 'forbidden', 'cross-site']);
    expect(problemsOf(operations.receiveHook))
      .to.include.members(['wrong-signature', 'body-too-large', 'unsupported-media-type'])
      .and.not.include.oneOf(['unauthenticated', 'cross-site', 'forbidden']);
    expect(problemsOf(operations.whoAmI)).not.to.include('missing-scope');
  });

  it('lets every operation refuse a query parameter that is not known', () => {
    for (const [id, operation] of Object.entries<Operation>(operations))
      expect(problemsOf(operation), id).to.include('invalid');
  });

  it('asks for the version only where it is required', () => {
    expect(problemsOf(operations.replacePolicy)).to.include.members(['version-mismatch', 'version-required']);
    expect(problemsOf(operations.changeIssue)).to.include('version-mismatch').and.not.to.include('version-required');
  });

  it('comes sorted by status and names each problem once', () => {
    for (const operation of Object.values<Operation>(operations)) {
      const types = problemsOf(operation);
      expect(new Set(types).size).to.equal(types.length);
      const statuses = types.map((type) => statusOf(operation, type));
      expect(statuses).to.deep.equal([...statuses].sort((a, b) => a - b));
    }
  });

  it('leaves no problem that nothing answers', () => {
    const answered = new Set(Object.values<Operation>(operations).flatMap(problemsOf));
    expect([...answered].sort()).to.deep.equal(Object.keys(PROBLEMS).sort());
  });
});

describe('statusOf', () => {
  it('answers 404 for reading without an active release and 409 for recording', () => {
    expect(statusOf(operations.readActiveReadiness, 'no-active-release')).to.equal(404);
    expect(statusOf(operations.recordTestRun, 'no-active-release')).to.equal(409);
  });
});
