import { expect } from 'chai';
import { ConnectionError, isProblem, ProblemError } from '../src/error.js';
import { problem } from './records.js';

const circumstances = { operation: 'recordTestRun', attempts: 2, requestId: 'r', idempotencyKey: 'k' } as const;

describe('isProblem', () => {
  it('takes a problem of one of the types and nothing else', () => {
    const error = new ProblemError(problem(409, 'release-closed'), null, circumstances);
    expect(isProblem(error, 'no-active-release', 'release-closed')).to.equal(true);
    expect(isProblem(error, 'no-active-release')).to.equal(false);
    expect(isProblem({ type: 'release-closed' }, 'release-closed')).to.equal(false);
    expect(isProblem(new ConnectionError('cut', null, circumstances), 'release-closed')).to.equal(false);
  });
});

describe('ProblemError', () => {
  it('keeps the circumstances and falls back on the title', () => {
    const error = new ProblemError(problem(409, 'release-closed', { detail: '' }), null, circumstances);
    expect(error).to.include({ ...circumstances, name: 'ProblemError' });
    expect(error.message).to.equal('recordTestRun: 409 A title');
    expect(error.errors).to.deep.equal([]);
  });
});
