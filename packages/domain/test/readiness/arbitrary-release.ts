import fc from 'fast-check';
import {
  AXES,
  assessRelease,
  type PerAxis,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { WAIVABLE_CODES } from '../../src/readiness/waiver.js';
import { HOUR, ISSUES_AS_OF, NOW, waiver } from './sample-release.js';

/** A release with its policy and waivers, to be judged at NOW. */
export interface Case {
  readonly facts: ReleaseFacts;
  readonly policy: Policy;
  readonly waivers: readonly Waiver[];
}

/** Mostly counts so small that edges are met, sometimes the greatest that still fit together. */
export const smallCount = fc.nat(6);
export const anyCount = fc.oneof({ weight: 4, arbitrary: smallCount }, fc.nat(400), fc.nat(2 ** 28));

const factsFrom = (count: fc.Arbitrary<number>): fc.Arbitrary<ReleaseFacts> =>
  fc
    .record({
      issues: fc.tuple(count, count),
      bugs: fc.tuple(count, count, count, count, count),
      noIssues: fc.integer({ min: 0, max: 9 }),
      items: fc.tuple(count, count),
      tests: fc.option(fc.tuple(count, count, fc.integer({ min: -2, max: 60 })), { freq: 6 }),
      deployments: fc.tuple(count, fc.oneof(fc.constant(0), count), fc.nat(3)),
      current: fc.constantFrom({}, {}, { issuesAsOf: null }, { issuesAsOf: ISSUES_AS_OF }),
      imported: fc.constantFrom({}, {}, { issuesPending: false }, { issuesPending: true }),
      worse: fc.constantFrom({}, { worseSuite: null }, { worseSuite: { suite: 'e2e', passed: 1, total: 3 } }),
      aside: fc.constantFrom<Pick<ReleaseFacts, 'testRunSetAside'>>(
        ...[{}, {}, {}, {}, { testRunSetAside: null }, { testRunSetAside: { suite: 'unit' } }],
      ),
    })
    .map(({ issues, bugs, noIssues, items, tests, deployments, current, imported, worse, aside }) => {
      const [done, open] = noIssues === 0 ? [0, 0] : issues;
      const [resolved, critical, major, minor, unspecified] = noIssues === 0 ? [0, 0, 0, 0, 0] : bugs;
      const openBugs = critical + major + minor + unspecified;
      return {
        scope: { done: done + resolved, total: done + open + resolved + openBugs },
        quality: { resolved, total: resolved + openBugs, open: { critical, major, minor, unspecified } },
        ops: {
          done: items[0],
          total: items[0] + items[1],
          openItems: Array.from({ length: Math.min(20, items[1]) }, (_, index) => `Item ${index}`),
        },
        verification:
          tests === null || tests[0] + tests[1] === 0 || aside.testRunSetAside
            ? null
            : {
                passed: tests[0],
                total: tests[0] + tests[1],
                ranAt: NOW - tests[2] * HOUR,
                suite: null,
                commitSha: null,
                runs: 1,
                ...worse,
              },
        stability: { succeeded: deployments[0], failed: deployments[1], inProgress: deployments[2] },
        ...current,
        ...imported,
        ...aside,
      };
    });

export const smallFacts = factsFrom(smallCount);
export const anyFacts = factsFrom(anyCount);

const perAxis = (value: fc.Arbitrary<number>): fc.Arbitrary<PerAxis<number>> =>
  fc.record({ scope: value, quality: value, ops: value, verification: value, stability: value });

const percentage = fc.oneof(
  fc.constantFrom(0, 50, 60, 66.66, 66.67, 80, 95, 99.99, 100),
  fc.nat(10_000).map((hundredths) => hundredths / 100),
);

const isJudgedByWeights = ({ weights }: Policy): boolean => AXES.some((axis) => weights[axis] > 0);

/** Any policy that may be stored. */
export const anyPolicy: fc.Arbitrary<Policy> = fc
  .record(
    {
      weights: perAxis(fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.nat(3), fc.nat(1000))),
      threshold: percentage,
      minimums: perAxis(percentage),
      requiredAxes: fc.subarray([...AXES]),
      environments: fc.constant(null),
      freshnessHours: fc.constantFrom(null, 24, 0.5),
      verification: fc.constantFrom('latest_run', 'latest_per_suite'),
      maxOpenCriticalBugs: fc.constantFrom(null, 0, 0, 1, 3),
      minFinishedDeployments: fc.constantFrom(1, 1, 3, 10),
      stabilityBound: fc.constantFrom('rate', 'upper_bound', 'upper_bound'),
    },
    {
      requiredKeys: [
        'weights',
        'threshold',
        'minimums',
        'requiredAxes',
        'environments',
        'freshnessHours',
        'verification',
        'maxOpenCriticalBugs',
        'minFinishedDeployments',
      ],
    },
  )
  .filter(isJudgedByWeights);

/** Waivers of anything, in force or not. */
const strayWaiver: fc.Arbitrary<Waiver> = fc
  .record({
    id: fc.uuid(),
    code: fc.constantFrom(...WAIVABLE_CODES),
    axis: fc.option(fc.constantFrom(...AXES)),
    actual: fc.option(fc.oneof(percentage, fc.nat(3))),
    createdAt: fc.constantFrom(NOW - HOUR, NOW, NOW + 1),
    expiresAt: fc.constantFrom(NOW, NOW + 1, NOW + HOUR),
    withdrawnAt: fc.constantFrom(null, null, NOW - 1),
  })
  .map((some) => waiver(some));

const withWaivers = (facts: fc.Arbitrary<ReleaseFacts>): fc.Arbitrary<Case> =>
  fc
    .record({
      facts,
      policy: anyPolicy,
      strays: fc.array(strayWaiver, { maxLength: 2 }),
      signed: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
      anySigned: fc.boolean(),
    })
    .map(({ facts, policy, strays, signed, anySigned }) => {
      const { reasons } = assessRelease(facts, policy, NOW, [], { nextSteps: false }).gate;
      const taken = anySigned ? reasons.filter((_, index) => signed[index] === true) : [];
      return {
        facts,
        policy,
        waivers: [
          ...strays,
          ...taken.flatMap(({ code, axis, actual }, index) =>
            code === 'no_weights' ? [] : [waiver({ id: `signed-${index}`, code, axis, actual })],
          ),
        ],
      };
    });

export const smallCase = withWaivers(smallFacts);
export const anyCase = withWaivers(anyFacts);
