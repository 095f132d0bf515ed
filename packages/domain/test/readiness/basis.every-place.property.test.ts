import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { plainFacts } from '../../src/readiness/basis.js';
import {
  assessRelease,
  DEFAULT_POLICY,
  judgeRelease,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { plainPolicy } from '../../src/readiness/policy.js';
import { everyChange } from './anything.js';
import {
  checklist,
  everyAxis,
  ISSUES_AS_OF,
  issues,
  NOW,
  policy,
  READY,
  ready,
  testRun,
  waiver,
} from './sample-release.js';

const mark = { title: 'Docs', reason: null, markedBy: 'Ada', markedAt: 5, confirmedBy: null, confirmed: false };
const report = { part: 1, whole: 2, explanation: 'One is open.', url: null, measuredAt: NOW };

const FACTS: Readonly<Record<string, ReleaseFacts>> = {
  'with every member': {
    ...issues(7, 12, { resolved: 2, critical: 1, major: 1, minor: 1, unspecified: 1 }),
    ops: { ...checklist(1, 3), notApplicable: [mark], removed: [{ title: 'Faq', removedBy: 'Ada', removedAt: 5 }] },
    verification: testRun(9, 10, { suite: 'unit', worseSuite: { suite: 'e2e', passed: 1, total: 2 } }),
    stability: { succeeded: 3, failed: 1, inProgress: 1 },
    issuesAsOf: ISSUES_AS_OF,
    issuesPending: false,
    sources: { deployments: { lastAt: 5, medianMs: null }, testRuns: { lastAt: 5, medianMs: 7 } },
    ownAxes: { security: report, speed: { ...report, part: 0, whole: null } },
  },
  'without those that may be missing': READY,
  'with nothing that may be null': ready({
    verification: testRun(1, 1, { worseSuite: null }),
    issuesAsOf: null,
    testRunSetAside: null,
    sources: { deployments: null, testRuns: null },
    ownAxes: {},
  }),
  'with a test run set aside': ready({ verification: null, testRunSetAside: { suite: 'unit' } }),
};

const POLICIES: Readonly<Record<string, Policy>> = {
  'with every member': policy({
    weights: { ...everyAxis(1), scope: 0, stability: 1000 },
    environments: ['eu', 'us'],
    freshnessHours: 24,
    silenceHours: 5,
    ownAxes: [
      {
        ...{ name: 'security', title: 'Security!', unit: { one: 'finding', many: 'findings' }, weight: 2 },
        ...{ minimum: 50.5, required: true, freshForHours: 5, countedFrom: null },
      },
      { name: 'evidence', weight: 1, countedFrom: 'checklist_evidence' },
      { name: 'speed' },
    ],
  }),
  'without those that may be missing': (({ stabilityBound: _, silenceHours: __, ...least }) => least)(DEFAULT_POLICY),
};

const WAIVERS: readonly Waiver[] = [
  waiver({}),
  waiver({ code: 'axis_below_minimum', axis: 'scope', actual: 50, withdrawnAt: NOW }),
];

/** As a program without a compiler calls it: the report, or the faults for which there is none. */
const answer = (judge: typeof judgeRelease, facts: unknown, rules: unknown, waivers: unknown): unknown => {
  try {
    return judge(facts as ReleaseFacts, rules as Policy, NOW, waivers as readonly Waiver[]);
  } catch (error) {
    expect(error).to.be.an.instanceOf(TypeError);
    return (error as TypeError).cause;
  }
};

const judgedFast: typeof judgeRelease = (facts, rules, asOf, waivers) =>
  assessRelease(facts, rules, asOf, waivers, { nextSteps: false });

/** Expects of the fast check what the full one finds: the same report, or the same faults. */
const expectSame = (facts: unknown, rules: unknown, waivers: unknown, changed: string): void => {
  const [fast, full] = [judgedFast, judgeRelease].map((judge) => answer(judge, facts, rules, waivers));
  // Several times as fast as chai, which is left to say where the two differ.
  if (!isDeepStrictEqual(fast, full)) expect(fast, changed).to.deep.equal(full);
};

describe('The fast check of what a release is judged by', () => {
  for (const [title, facts] of Object.entries(FACTS)) {
    it(`is enough for facts ${title}`, () => {
      expect(plainFacts(facts)).to.be.an('object');
    });

    it(`agrees with the full check wherever facts ${title} are changed`, () => {
      for (const [changed, given] of everyChange(facts)) expectSame(given, POLICIES['with every member'], [], changed);
    });
  }

  for (const [title, rules] of Object.entries(POLICIES)) {
    it(`is enough for a policy ${title}`, () => {
      expect(plainPolicy(rules)).to.be.an('object');
    });

    it(`agrees with the full check wherever a policy ${title} is changed`, () => {
      for (const [changed, given] of everyChange(rules)) expectSame(FACTS['with every member'], given, [], changed);
    });
  }

  it('agrees with the full check wherever waivers are changed', () => {
    for (const [changed, given] of everyChange(WAIVERS)) expectSame(READY, DEFAULT_POLICY, given, changed);
  });
});
