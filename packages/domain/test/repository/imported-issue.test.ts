import { expect } from 'chai';
import fc from 'fast-check';
import type { Issue } from '../../src/issue/issue.js';
import type { HostIssue } from '../../src/repository/host-records.js';
import { goneContent, hasContent, issueContent } from '../../src/repository/imported-issue.js';
import type { IssueMapping } from '../../src/repository/repository-link.js';
import { hostIssueOf } from './host-issue-of.js';

const DEFAULTS: IssueMapping = { bug: [], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] };
const contentOf = (over: Partial<HostIssue>, mapping: Partial<IssueMapping> = {}) =>
  issueContent(hostIssueOf(over), { ...DEFAULTS, ...mapping }, null);

describe('An imported issue', () => {
  it('is what the host says, in the release given', () => {
    expect(issueContent(hostIssueOf(), DEFAULTS, 'r1')).to.deep.equal({
      releaseId: 'r1',
      title: 'Pay by card',
      type: 'task',
      state: 'todo',
      severity: null,
      url: 'https://host.example/acme/shop/issues/12',
    });
  });
  it('is named by its number when nothing of its title is left', () => {
    expect(contentOf({ title: ' \n\u0001' }).title).to.equal('#12');
    expect(contentOf({ title: 'a\nb' }).title).to.equal('a b');
    expect(contentOf({ title: '🚀'.repeat(201) }).title).to.equal('🚀'.repeat(200));
  });
  it('drops an address that is none or too long', () => {
    expect(contentOf({ url: `https://host.example/${'a'.repeat(2048)}` }).url).to.equal(null);
    expect(contentOf({ url: 'javascript:1' }).url).to.equal(null);
  });

  const types: readonly [string | null, readonly string[], Partial<IssueMapping>, string][] = [
    [null, [], {}, 'task'],
    [null, ['docs'], {}, 'task'],
    [null, ['BUG'], {}, 'bug'],
    [null, ['enhancement'], {}, 'feature'],
    [null, ['Chore'], {}, 'chore'],
    [null, ['chore', 'feature', 'bug'], {}, 'bug'],
    [null, ['chore', 'feature'], {}, 'feature'],
    ['Bug', [], {}, 'bug'],
    ['Feature', ['bug'], {}, 'feature'],
    ['Task', ['bug'], {}, 'task'],
    ['Epic', ['bug'], {}, 'bug'],
    ['Epic', [], {}, 'task'],
    ['Epic', ['bug'], { feature: ['epic'] }, 'feature'],
    ['Task', [], { chore: ['task'] }, 'chore'],
    [null, ['regression'], { bug: ['Regression '] }, 'bug'],
    [null, ['bug'], { bug: ['regression'] }, 'task'],
    [null, ['bug'], { feature: ['story'] }, 'bug'],
  ];
  for (const [type, labels, mapping, wanted] of types)
    it(`of type ${type} with the labels ${JSON.stringify(labels)} under ${JSON.stringify(mapping)} is a ${wanted}`, () => {
      expect(contentOf({ type, labels }, mapping).type).to.equal(wanted);
    });

  const states: readonly [Partial<HostIssue>, Partial<IssueMapping>, string][] = [
    [{ state: 'open' }, {}, 'todo'],
    [{ state: 'open', labels: ['In Progress'] }, {}, 'in_progress'],
    [{ state: 'open', labels: ['wip'] }, { inProgress: ['WIP'] }, 'in_progress'],
    [{ state: 'open', labels: ['in progress'] }, { inProgress: ['wip'] }, 'todo'],
    [{ state: 'closed', closedAs: 'completed', labels: ['in progress'] }, {}, 'done'],
    [{ state: 'closed', closedAs: 'not_planned' }, {}, 'canceled'],
    [{ state: 'closed', closedAs: null }, {}, 'done'],
  ];
  for (const [over, mapping, wanted] of states)
    it(`that reads ${JSON.stringify(over)} under ${JSON.stringify(mapping)} is ${wanted}`, () => {
      expect(contentOf(over, mapping).state).to.equal(wanted);
    });

  it('has a severity only as a bug: the worst named', () => {
    expect(contentOf({ labels: ['bug', 'minor', 'Critical'] }).severity).to.equal('critical');
    expect(contentOf({ labels: ['bug', 'minor', 'major'] }).severity).to.equal('major');
    expect(contentOf({ labels: ['bug', 'minor'] }).severity).to.equal('minor');
    expect(contentOf({ labels: ['bug', 's1'] }, { critical: ['S1'] }).severity).to.equal('critical');
    expect(contentOf({ labels: ['bug'] }).severity).to.equal(null);
    expect(contentOf({ labels: ['feature', 'critical'] }).severity).to.equal(null);
  });
  it('never depends on the case or the order of its labels', () => {
    const label = fc.constantFrom('bug', 'feature', 'chore', 'critical', 'major', 'minor', 'in progress', 'docs');
    fc.assert(
      fc.property(fc.uniqueArray(label), fc.option(label, { nil: null }), (labels, type) => {
        const other = { labels: labels.map((each) => each.toUpperCase()).reverse(), type: type?.toUpperCase() ?? null };
        expect(contentOf(other)).to.deep.equal(contentOf({ labels, type }));
      }),
    );
  });
  it('that is gone keeps its words and is canceled', () => {
    const content = contentOf({ labels: ['bug', 'major'] });
    const issue: Issue = {
      ...content,
      id: 'i1',
      projectId: 'p1',
      releaseId: 'r1',
      externalId: 'github:I1',
      version: 3,
      createdAt: 1,
      updatedAt: 2,
    };
    expect(goneContent(issue, null)).to.deep.equal({ ...content, state: 'canceled', releaseId: null });
    expect(goneContent(issue, 'r1').releaseId).to.equal('r1');
  });
  it('is known to be unchanged only if all of it is', () => {
    const content = contentOf({});
    const issue: Issue = {
      ...content,
      id: 'i1',
      projectId: 'p1',
      externalId: 'github:I1',
      version: 1,
      createdAt: 1,
      updatedAt: 2,
    };
    expect(hasContent(issue, content)).to.equal(true);
    const changes = { releaseId: 'r2', title: 'x', type: 'bug', state: 'done', severity: 'minor', url: null };
    for (const [key, value] of Object.entries(changes))
      expect(hasContent(issue, { ...content, [key]: value }), key).to.equal(false);
  });
});
