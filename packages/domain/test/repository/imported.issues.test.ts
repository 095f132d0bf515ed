import { expect } from 'chai';
import fc from 'fast-check';
import type { Issue, IssueEvent, IssueState } from '../../src/issue.js';
import type { Release } from '../../src/release/release.js';
import type { HostIssue, HostIssueEvent } from '../../src/repository/host.js';
import { goneContent, hasContent, importedHistory, issueContent } from '../../src/repository/imported.js';
import type { IssueMapping } from '../../src/repository/link.js';
import { releaseOf } from '../release/release-of.js';
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

const one = releaseOf({ id: 'r1', name: '1.0', externalId: 'github:M1' });
const two = releaseOf({ id: 'r2', name: '2.0', externalId: 'github:M2' });

const issueOf = (over: Partial<Issue> = {}): Issue => ({
  id: 'i1',
  projectId: 'p1',
  releaseId: null,
  title: 'Pay by card',
  type: 'task',
  state: 'todo',
  severity: null,
  url: null,
  externalId: 'github:I1',
  version: 1,
  createdAt: 1_000,
  updatedAt: 9_000,
  ...over,
});

const read = (
  host: Partial<HostIssue>,
  issue: Partial<Issue>,
  over: { releases?: readonly Release[]; milestoneRelease?: Release | null; before?: Issue | null } = {},
) => {
  const { releases = [one, two], before = null } = over;
  const { milestoneRelease = releases.find(({ id }) => id === issue.releaseId) ?? null } = over;
  return importedHistory({
    host: hostIssueOf(host),
    issue: issueOf(issue),
    before,
    releases,
    milestoneRelease,
    now: 9_000,
  });
};
const told = (events: readonly IssueEvent[]) => events.map(({ at, kind, releaseId }) => `${at} ${kind} ${releaseId}`);

const into = (milestone: string, at: number): HostIssueEvent => ({ kind: 'milestoned', milestone, at });
const outOf = (milestone: string, at: number): HostIssueEvent => ({ kind: 'demilestoned', milestone, at });
const closed = (at: number, as: 'completed' | 'not_planned' = 'completed'): HostIssueEvent => ({
  kind: 'closed',
  as,
  at,
});
const reopened = (at: number): HostIssueEvent => ({ kind: 'reopened', at });

describe('The history of an imported issue', () => {
  it('is the whole of what the host remembers, with its moments', () => {
    const history = [
      into('1.0', 1_100),
      closed(1_200),
      reopened(1_300),
      into('2.0', 1_400),
      outOf('1.0', 1_400),
      closed(1_500, 'not_planned'),
    ];
    const { events, wholeHistory } = read(
      { history, milestoneId: 'M2' },
      { releaseId: 'r2', state: 'canceled', type: 'bug' },
    );
    expect(wholeHistory).to.equal(true);
    expect(told(events)).to.deep.equal([
      '1100 added r1',
      '1200 done r1',
      '1300 reopened r1',
      '1400 removed r1',
      '1400 added r2',
      '1500 canceled r2',
    ]);
    expect(events.every(({ type, issueId }) => type === 'bug' && issueId === 'i1')).to.equal(true);
  });
  it('knows a milestone by what it is called now when the issue still has it', () => {
    const history = [into('one point oh', 1_100)];
    expect(told(read({ history, milestoneId: 'M1' }, { releaseId: 'r1' }).events)).to.deep.equal(['1100 added r1']);
  });
  it('leads to the present by events at the last change when it does not by itself', () => {
    expect(told(read({ history: [], milestoneId: 'M1' }, { releaseId: 'r1', state: 'done' }).events)).to.deep.equal([
      '2000 added r1',
      '2000 done r1',
    ]);
    expect(told(read({ history: [into('1.0', 1_100)] }, { releaseId: null }).events)).to.deep.equal([
      '1100 added r1',
      '2000 removed r1',
    ]);
    expect(told(read({ history: [into('1.0', 2_500)] }, { releaseId: 'r1', state: 'done' }).events)).to.deep.equal([
      '2500 added r1',
      '2500 done r1',
    ]);
  });
  it('leaves out milestones that are not followed', () => {
    const history = [into('someday', 1_100), outOf('someday', 1_200), into('2.0', 1_300)];
    expect(told(read({ history, milestoneId: 'M2' }, { releaseId: 'r2' }).events)).to.deep.equal(['1300 added r2']);
  });
  it('neither leaves a release after it closed nor joins one', () => {
    const shipped: Release = { ...one, state: 'shipped', shippedAt: 1_500 };
    const left = read(
      { history: [into('1.0', 1_100), outOf('1.0', 1_600), into('2.0', 1_700)], milestoneId: 'M2' },
      { releaseId: 'r1' },
      { releases: [shipped, two] },
    );
    expect(told(left.events)).to.deep.equal(['1100 added r1']);
    const late = read(
      { history: [into('1.0', 1_500)], milestoneId: 'M1' },
      { releaseId: null },
      { releases: [shipped, two], milestoneRelease: shipped },
    );
    expect(late.events).to.deep.equal([]);
    const before = read(
      { history: [into('1.0', 1_100), outOf('1.0', 1_200)] },
      { releaseId: null },
      { releases: [shipped, two] },
    );
    expect(told(before.events)).to.deep.equal(['1100 added r1', '1200 removed r1']);
  });
  it('says nothing of a release that closed before the issue was imported', () => {
    const canceled: Release = { ...one, state: 'canceled', canceledAt: 1_500 };
    const history = [into('1.0', 1_100), outOf('1.0', 1_800), into('2.0', 1_900)];
    const { events } = read({ history, milestoneId: 'M2' }, { releaseId: 'r2' }, { releases: [canceled, two] });
    expect(told(events)).to.deep.equal(['1900 added r2']);
  });
  it('without a memory of the host begins with what the issue tells', () => {
    const { events, wholeHistory } = read({ closedAt: 1_500 }, { releaseId: 'r1', state: 'done' });
    expect(wholeHistory).to.equal(false);
    expect(told(events)).to.deep.equal(['1000 added r1', '1500 done r1']);
    expect(told(read({}, { releaseId: 'r1', state: 'done' }).events)).to.deep.equal(['1000 added r1', '2000 done r1']);
    expect(read({ closedAt: 1_500 }, { state: 'done' }).events).to.deep.equal([]);
  });
  it('without a memory of the host goes on with what changed, a new type as leaving and joining', () => {
    const before = issueOf({ releaseId: 'r1', type: 'task' });
    const { events, wholeHistory } = read({}, { releaseId: 'r1', type: 'bug', state: 'done' }, { before });
    expect(wholeHistory).to.equal(false);
    expect(events.map(({ at, kind, type }) => [at, kind, type])).to.deep.equal([
      [9_000, 'removed', 'task'],
      [9_000, 'added', 'bug'],
      [9_000, 'done', 'bug'],
    ]);
  });

  const title = fc.constantFrom('1.0', '2.0', 'someday');
  const happening = fc.oneof(
    fc.record({ kind: fc.constantFrom('milestoned' as const, 'demilestoned' as const), milestone: title }),
    fc.record({
      kind: fc.constant('closed' as const),
      as: fc.constantFrom('completed' as const, 'not_planned' as const),
    }),
    fc.record({ kind: fc.constant('reopened' as const) }),
  );
  const histories = fc
    .array(fc.tuple(happening, fc.integer({ min: 0, max: 50 })), { maxLength: 12 })
    .map((all) => all.map(([event, at], index): HostIssueEvent => ({ ...event, at: 1_000 + index * 20 + at })));
  const present = fc.record({
    releaseId: fc.constantFrom(null, 'r1', 'r2'),
    state: fc.constantFrom<IssueState>('todo', 'in_progress', 'done', 'canceled'),
  });
  const closing = fc.option(fc.integer({ min: 900, max: 1_400 }), { nil: null });

  it('always leads to the present release and state, in order, one release at a time', () => {
    fc.assert(
      fc.property(histories, present, closing, fc.boolean(), (history, now, shippedAt, hasMilestone) => {
        const first: Release = shippedAt === null ? one : { ...one, state: 'shipped', shippedAt };
        const milestone = { milestoneId: hasMilestone ? 'M1' : null, updatedAt: 1_300 };
        const releases = { releases: [first, two], milestoneRelease: hasMilestone ? first : null };
        const { events } = read({ ...milestone, history }, now, releases);
        let releaseId: string | null = null;
        let ended: string | null = null;
        let last = Number.NEGATIVE_INFINITY;
        for (const event of events) {
          expect(event.at).to.be.at.least(last);
          last = event.at;
          if (event.kind === 'added') expect(releaseId).to.equal(null);
          else expect(event.releaseId).to.equal(releaseId);
          if (event.kind === 'added') [releaseId, ended] = [event.releaseId, null];
          else if (event.kind === 'removed') [releaseId, ended] = [null, null];
          else ended = event.kind === 'reopened' ? null : event.kind;
          if (event.kind === 'removed' && event.releaseId === 'r1' && shippedAt !== null)
            expect(event.at).to.be.below(shippedAt);
        }
        expect(releaseId).to.equal(now.releaseId);
        const open = now.state === 'todo' || now.state === 'in_progress';
        expect(ended).to.equal(now.releaseId === null || open ? null : now.state);
      }),
      { numRuns: 500 },
    );
  });
});
