import { expect } from 'chai';
import fc from 'fast-check';
import {
  DEFAULT_MAPPING,
  deploymentPrefix,
  hostExternalId,
  hostIdIn,
  type IssueMapping,
  type LinkSettings,
  LONGEST_LABEL,
  linkFaults,
  MOST_LABELS,
  MOST_MILESTONES,
  meetsFilter,
  testRunExternalId,
} from '../../src/repository/link.js';

const ALL = { deployments: true, testRuns: ['checks', 'workflows'] } as const;
const NOTHING = { deployments: false, testRuns: [] };
const EMPTY = { bug: [], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] };
const settings = (over: Partial<LinkSettings> = {}): LinkSettings => ({
  filter: { labels: [], pathPrefix: null },
  mapping: EMPTY,
  milestones: 'all',
  deployments: false,
  testRuns: 'none',
  ...over,
});
const found = (over: Partial<LinkSettings>, gives: Parameters<typeof linkFaults>[1] = ALL) =>
  linkFaults(settings(over), gives).map(({ pointer, code }) => `${pointer} ${code}`);
const labels = (...given: readonly string[]) => found({ filter: { labels: given, pathPrefix: null } });
const prefix = (pathPrefix: string) => found({ filter: { labels: [], pathPrefix } });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('linkFaults', () => {
  it('finds none in what may be asked for', () => {
    const filter = { labels: ['team: pay', 'é'.repeat(LONGEST_LABEL)], pathPrefix: 'packages/pay' };
    const most = { milestones: numbered(MOST_MILESTONES), deployments: true, testRuns: 'workflows' } as const;
    expect(found({ filter, mapping: DEFAULT_MAPPING, ...most })).to.deep.equal([]);
    expect(found({ milestones: [] }, NOTHING)).to.deep.equal([]);
    expect(labels(...numbered(MOST_LABELS).map(String))).to.deep.equal([]);
  });
  it('finds labels that are empty, too long, too many or no text', () => {
    expect(labels('')).to.deep.equal(['/issue_filter/labels/0 length']);
    expect(labels('ok', 'x'.repeat(LONGEST_LABEL + 1))).to.deep.equal(['/issue_filter/labels/1 length']);
    expect(labels('a\nb', 'a\u007f')).to.deep.equal([
      '/issue_filter/labels/0 control_characters',
      '/issue_filter/labels/1 control_characters',
    ]);
    expect(labels(...numbered(MOST_LABELS + 1).map(String))).to.deep.equal(['/issue_filter/labels too_many']);
    expect(labels('👍'.repeat(LONGEST_LABEL))).to.deep.equal([]);
  });
  it('finds a path prefix that names no path', () => {
    expect(prefix('/pay')).to.deep.equal(['/issue_filter/path_prefix leading_slash']);
    for (const given of ['pay/', 'a//b'])
      expect(prefix(given)).to.deep.equal(['/issue_filter/path_prefix empty_segment']);
    expect(prefix('')).to.deep.equal(['/issue_filter/path_prefix length']);
  });
  it('finds milestones that are no number, named twice or too many', () => {
    expect(found({ milestones: [1, 0, -1, 1.5, Number.NaN, 1] })).to.deep.equal([
      ...[1, 2, 3, 4].map((index) => `/milestones/${index} out_of_range`),
      '/milestones/5 duplicate',
    ]);
    expect(found({ milestones: numbered(MOST_MILESTONES + 1) })).to.deep.equal(['/milestones too_many']);
  });
  it('finds what the host cannot give', () => {
    expect(found({ deployments: true, testRuns: 'checks' }, NOTHING)).to.deep.equal([
      '/deployments unsupported',
      '/test_runs unsupported',
    ]);
    expect(found({ testRuns: 'workflows' }, { ...ALL, testRuns: ['checks'] })).to.deep.equal([
      '/test_runs unsupported',
    ]);
  });
  it('names all faults at once, in the words of the wire', () => {
    const mapping = Object.fromEntries(Object.keys(EMPTY).map((part) => [part, ['']])) as unknown as typeof EMPTY;
    const filter = { labels: [''], pathPrefix: '/' };
    expect(found({ filter, mapping, milestones: [0], deployments: true, testRuns: 'checks' }, NOTHING)).to.deep.equal([
      '/issue_filter/labels/0 length',
      '/issue_filter/path_prefix leading_slash',
      ...['bug', 'feature', 'chore', 'in_progress', 'critical', 'major', 'minor'].map(
        (part) => `/mapping/${part}/0 length`,
      ),
      ...['/milestones/0 out_of_range', '/deployments unsupported', '/test_runs unsupported'],
    ]);
  });
});

const lists = Object.entries(DEFAULT_MAPPING) as readonly [keyof IssueMapping, readonly string[]][];

describe('the default mapping', () => {
  it('knows the usual names', () => {
    for (const name of ['bug', 'defect', 'regression', 'type: bug', 'type/bug', 'kind/bug', 'type::bug'])
      expect(DEFAULT_MAPPING.bug).to.include(name);
    for (const name of ['critical', 'blocker', 'p0', 'severity: critical', 'priority: critical', 'severity::1'])
      expect(DEFAULT_MAPPING.critical).to.include(name);
    expect(DEFAULT_MAPPING.feature).to.include.members(['feature', 'enhancement']);
    expect(DEFAULT_MAPPING.chore).to.include('chore');
    expect(DEFAULT_MAPPING.inProgress).to.include.members(['in progress', 'status: in progress']);
  });
  it('gives each name one meaning, in lower case', () => {
    const names = lists.flatMap(([, list]) => list);
    expect(new Set(names).size).to.equal(names.length);
    expect(names).to.deep.equal(names.map((name) => name.toLowerCase()));
  });
  it('could be asked for as it is', () => {
    const nothing = { deployments: false, testRuns: [] };
    const filter = { labels: [], pathPrefix: null };
    const settings = {
      filter,
      mapping: DEFAULT_MAPPING,
      milestones: 'none',
      deployments: false,
      testRuns: 'none',
    } as const;
    expect(linkFaults(settings, nothing)).to.deep.equal([]);
  });
});

const meets = (title: string, labels: readonly string[], pathPrefix: string | null, wanted: readonly string[] = []) =>
  meetsFilter({ title, labels }, { labels: wanted, pathPrefix });

describe('The issue filter of a project', () => {
  it('asks for nothing by default', () => {
    expect(meets('Anything', [], null)).to.equal(true);
  });
  it('asks for one of the labels, in any case', () => {
    expect(meets('x', ['Team/Pay'], null, ['team/pay', 'team/search'])).to.equal(true);
    expect(meets('x', ['team/pay2'], null, ['team/pay'])).to.equal(false);
    expect(meets('x', [], null, ['team/pay'])).to.equal(false);
  });

  const paths: readonly [string, string, boolean][] = [
    ['net/http: drop a header', 'net/http', true],
    ['net/http/httptest: drop a header', 'net/http', true],
    ['net/httputil: drop a header', 'net/http', false],
    ['net: drop a header', 'net/http', false],
    ['net/url, net/http: drop a header', 'net/http', true],
    ['net/url,net/mail: drop a header', 'net/http', false],
    ['./packages/pay/: fix rounding', '/packages/pay/', true],
    ['Packages/Pay: fix rounding', 'packages/pay', true],
    ['net/http drops a header', 'net/http', false],
    ['net/http fails when: asked', 'net/http', false],
    [': nothing before', 'net/http', false],
    ['cmd/go: see net/http: it fails', 'net/http', false],
    ['whatever', '/', true],
  ];
  for (const [title, prefix, wanted] of paths)
    it(`${wanted ? 'takes' : 'leaves'} "${title}" under ${prefix}`, () => {
      expect(meets(title, [], prefix)).to.equal(wanted);
    });

  it('takes a path from a label as well', () => {
    expect(meets('Drop a header', ['net/http/httptest'], 'net/http')).to.equal(true);
    expect(meets('Drop a header', ['net/httputil'], 'net/http')).to.equal(false);
  });
  it('asks for every part that is given', () => {
    expect(meets('pay: x', ['bug'], 'pay', ['bug'])).to.equal(true);
    expect(meets('pay: x', [], 'pay', ['bug'])).to.equal(false);
    expect(meets('search: x', ['bug'], 'pay', ['bug'])).to.equal(false);
  });
  it('takes everything at or below the prefix, and nothing beside it', () => {
    const segment = fc.stringMatching(/^[a-z0-9_-]{1,5}$/);
    const path = fc.array(segment, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(path, path, fc.boolean(), (prefix, other, below) => {
        const named = below ? [...prefix, ...other] : other;
        const wanted = prefix.every((each, index) => named[index] === each);
        expect(meets(`${named.join('/')}: fix`, [], prefix.join('/'))).to.equal(wanted);
        expect(meets('Fix', [named.join('/')], prefix.join('/'))).to.equal(wanted);
      }),
    );
  });
});

describe('Names of imported records', () => {
  it('say the host, what it is, and the id there', () => {
    expect(hostExternalId('github', 'I_1')).to.equal('github:I_1');
    expect(`${deploymentPrefix('github')}7`).to.equal('github:deployment:7');
    expect(testRunExternalId('github', 'checks', 'a1')).to.equal('github:checks:a1');
    expect(testRunExternalId('github', 'workflows', '9')).to.equal('github:workflows:9');
  });
  it('give the id back', () => {
    expect(hostIdIn('github:I_1', 'github:')).to.equal('I_1');
    expect(hostIdIn('gitlab:I_1', 'github:')).to.equal(null);
    expect(hostIdIn(null, 'github:')).to.equal(null);
  });
});
