import { expect } from 'chai';
import { LONGEST_LABEL, linkFaults, MOST_LABELS, MOST_MILESTONES } from '../../src/repository/link-faults.js';
import { DEFAULT_MAPPING } from '../../src/repository/link-settings.js';
import type { LinkSettings } from '../../src/repository/repository-link.js';

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
