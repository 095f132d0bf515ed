import { expect } from 'chai';
import { faulty, Problem, problemBody, problemHeaders } from '../../src/http/problem.js';

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
    expect(problemHeaders(new Problem('unavailable', 'x'))).to.deep.equal(['Retry-After', '1']);
    expect(problemHeaders(new Problem('too-many-requests', 'x', { retryAfter: 2.1 }))).to.deep.equal([
      'Retry-After',
      '3',
    ]);
    expect(problemHeaders(new Problem('too-many-requests', 'x', { retryAfter: 0 }))).to.deep.equal([
      'Retry-After',
      '1',
    ]);
    expect(problemHeaders(new Problem('name-taken', 'x'))).to.deep.equal([]);
  });

  it('names the scheme with every 401', () => {
    const [name, value] = problemHeaders(new Problem('wrong-credentials', 'x'));
    expect(name).to.equal('WWW-Authenticate');
    expect(value).to.match(/^Bearer /);
  });
});
