import { expect } from 'chai';
import fc from 'fast-check';
import { factFaults, type ReleaseFacts } from '../../src/readiness/index.js';
import { anyFacts } from './arbitrary-release.js';
import { checklist, deployments, EMPTY, ISSUES_AS_OF, issues, READY, ready, testRun } from './sample-release.js';

const found = (facts: ReleaseFacts): readonly string[] =>
  factFaults(facts).map(({ pointer, code }) => `${pointer} ${code}`);

describe('the rules of facts', () => {
  it('find no fault in facts that fit together', () => {
    expect(factFaults(READY)).to.deep.equal([]);
    expect(factFaults(EMPTY)).to.deep.equal([]);
    const years = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
    for (const issuesAsOf of [null, ISSUES_AS_OF, 0, ...years])
      expect(factFaults(ready({ issuesAsOf })), String(issuesAsOf)).to.deep.equal([]);
    expect(factFaults(ready({ stability: deployments(2 ** 31 - 1, 0) }))).to.deep.equal([]);
    const rare = { lastAt: 0, medianMs: null };
    expect(factFaults(ready({ sources: { deployments: rare, testRuns: null } }))).to.deep.equal([]);
    for (const issuesPending of [true, false]) expect(factFaults(ready({ issuesPending }))).to.deep.equal([]);
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(factFaults(facts)).to.deep.equal([]);
      }),
    );
  });

  for (const [title, facts, expected] of [
    ['more issues done than there are', ready(issues(13, 12)), ['/scope/done does_not_fit', '/quality does_not_fit']],
    [
      'more bugs than issues',
      ready(issues(0, 1, { minor: 2 })),
      ['/quality/total does_not_fit', '/quality does_not_fit'],
    ],
    ['more bugs resolved than issues done', ready(issues(1, 4, { resolved: 2 })), ['/quality/resolved does_not_fit']],
    ['more open bugs than open issues', ready(issues(3, 4, { minor: 2 })), ['/quality does_not_fit']],
    [
      'more bugs resolved than there are',
      ready({ ...issues(9, 12), quality: { ...READY.quality, resolved: 1 } }),
      ['/quality/resolved does_not_fit', '/quality/open does_not_fit'],
    ],
    [
      'open bugs that do not sum up',
      ready({ ...issues(9, 12), quality: { ...READY.quality, total: 2, resolved: 1 } }),
      ['/quality/open does_not_fit'],
    ],
    ['more items done than there are', ready({ ops: checklist(4, 3) }), ['/ops/done does_not_fit']],
    ['more tests passed than ran', ready({ verification: testRun(4, 3) }), ['/verification/passed does_not_fit']],
    ['a negative count', ready({ stability: deployments(-1, 0) }), ['/stability/succeeded out_of_range']],
    ['a fraction', ready({ stability: deployments(0, 0.5) }), ['/stability/failed out_of_range']],
    [
      'a count beyond every other',
      ready({ stability: deployments(0, 0, 2 ** 31) }),
      ['/stability/in_progress out_of_range'],
    ],
    ['no number', ready({ ops: { ...checklist(1, 2), done: Number.NaN } }), ['/ops/done out_of_range']],
    ['a bad total of items', ready({ ops: { ...checklist(1, 2), total: -1 } }), ['/ops/total out_of_range']],
    ['a bad total of tests', ready({ verification: testRun(1, 1.5) }), ['/verification/total out_of_range']],
    ['a bad number of passed tests', ready({ verification: testRun(-1, 1) }), ['/verification/passed out_of_range']],
    ['half a run', ready({ verification: { ...testRun(1, 1), runs: 0.5 } }), ['/verification/runs out_of_range']],
    ['issues pending by a word', ready(JSON.parse('{"issuesPending":"no"}')), ['/issues_pending out_of_range']],
    ['issues as of a fraction', ready({ issuesAsOf: 0.5 }), ['/issues_as_of out_of_range']],
    ['issues as of no moment', ready({ issuesAsOf: Number.NaN }), ['/issues_as_of out_of_range']],
    ['issues as of never', ready({ issuesAsOf: Number.POSITIVE_INFINITY }), ['/issues_as_of out_of_range']],
    ['issues as of the year 0', ready({ issuesAsOf: -62_135_596_800_001 }), ['/issues_as_of out_of_range']],
    ['issues as of the year 10000', ready({ issuesAsOf: 253_402_300_800_000 }), ['/issues_as_of out_of_range']],
    [
      'sources without a moment or a rhythm',
      ready({
        sources: { deployments: { lastAt: Number.NaN, medianMs: 0 }, testRuns: { lastAt: 0, medianMs: -1 } },
      }),
      ['/sources/deployments/last_at out_of_range', '/sources/test_runs/median_ms out_of_range'],
    ],
    [
      'bad counts of issues, of which nothing further is said',
      ready(issues(-1, 0.5, { resolved: -2, critical: 0.5, major: -1, minor: -1, unspecified: -1 })),
      [
        '/scope/done out_of_range',
        '/scope/total out_of_range',
        '/quality/resolved out_of_range',
        '/quality/total out_of_range',
        '/quality/open/critical out_of_range',
        '/quality/open/major out_of_range',
        '/quality/open/minor out_of_range',
        '/quality/open/unspecified out_of_range',
      ],
    ],
  ] as const satisfies readonly (readonly [string, ReleaseFacts, readonly string[]])[])
    it(`${title}: ${expected.length === 1 ? expected[0] : `${expected.length} faults`}`, () => {
      expect(found(facts)).to.deep.equal(expected);
      for (const { message } of factFaults(facts)) expect(message).to.match(/^[A-Z].{20,}/);
    });
});
