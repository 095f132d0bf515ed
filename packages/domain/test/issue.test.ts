import { expect } from 'chai';
import { type Issue, issueEvents } from '../src/issue.js';

const issue: Issue = {
  id: 'i1',
  projectId: 'p1',
  releaseId: 'r1',
  title: 'Pay',
  type: 'feature',
  state: 'todo',
  severity: null,
  url: null,
  externalId: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
};
const moved = (before: Partial<Issue> | null, after: Partial<Issue>) =>
  issueEvents(before && { ...issue, ...before }, { ...issue, ...after }, 9).map(
    ({ kind, releaseId, type }) => `${kind} ${releaseId} ${type}`,
  );

describe('Events of an issue', () => {
  it('carry the issue and the moment', () => {
    expect(issueEvents(null, issue, 9)).to.deep.equal([
      { issueId: 'i1', releaseId: 'r1', at: 9, kind: 'added', type: 'feature' },
    ]);
  });
  it('are none without a release', () => {
    expect(moved(null, { releaseId: null })).to.deep.equal([]);
    expect(moved({ releaseId: null }, { releaseId: null, state: 'done' })).to.deep.equal([]);
  });
  it('end at once what joins already ended', () => {
    expect(moved(null, { state: 'done' })).to.deep.equal(['added r1 feature', 'done r1 feature']);
    expect(moved({ releaseId: null, state: 'canceled' }, { state: 'canceled' })).to.deep.equal([
      'added r1 feature',
      'canceled r1 feature',
    ]);
  });
  it('tell a move as removed there and added here', () => {
    expect(moved({}, { releaseId: 'r2' })).to.deep.equal(['removed r1 feature', 'added r2 feature']);
    expect(moved({}, { releaseId: null })).to.deep.equal(['removed r1 feature']);
  });
  const states: readonly [Issue['state'], Issue['state'], readonly string[]][] = [
    ['todo', 'in_progress', []],
    ['todo', 'done', ['done']],
    ['in_progress', 'canceled', ['canceled']],
    ['done', 'todo', ['reopened']],
    ['done', 'canceled', ['canceled']],
    ['canceled', 'in_progress', ['reopened']],
    ['canceled', 'done', ['done']],
    ['done', 'done', []],
  ];
  for (const [from, to, kinds] of states)
    it(`${from} -> ${to}: ${kinds.join() || 'none'}`, () => {
      expect(moved({ state: from }, { state: to })).to.deep.equal(kinds.map((kind) => `${kind} r1 feature`));
    });
  it('tell a changed type as the old one removed and the new one added', () => {
    expect(moved({ type: 'bug', state: 'done' }, { type: 'task', state: 'done' })).to.deep.equal([
      'removed r1 bug',
      'added r1 task',
      'done r1 task',
    ]);
  });
});
