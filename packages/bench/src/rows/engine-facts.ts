import type { ReleaseFacts } from '@shipworthy/domain/readiness';

/** A small generator of whole numbers with a fixed seed: every run meets the same facts. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const TITLES = ['Docs', 'Feature flag', 'Rollback', 'Load test', 'Support briefed'];

type Below = (below: number) => number;

/** Ready to ship under the default policy. */
const ready = (below: Below, asOf: number): ReleaseFacts => {
  const others = 10 + below(200);
  const othersOpen = below(Math.ceil(others / 10));
  const tests = 200 + below(20_000);
  const minor = below(2);
  return {
    scope: { done: 12 + others - othersOpen, total: 12 + others + minor },
    quality: { resolved: 12, total: 12 + minor, open: { critical: 0, major: 0, minor, unspecified: 0 } },
    ops: { done: 5, total: 5, openItems: [] },
    verification: {
      passed: tests - below(Math.ceil(tests / 50)),
      total: tests,
      ranAt: asOf - below(86_400_000),
      suite: 'ci',
      commitSha: '4f2c1a9be07d',
      runs: 1,
    },
    stability: { succeeded: 30 + below(400), failed: below(5), inProgress: below(3) },
  };
};

/** Held for one or several measured reasons. */
const held = (below: Below, asOf: number): ReleaseFacts => {
  const facts = ready(below, asOf);
  const critical = below(3);
  const major = below(6);
  const open = 1 + below(4);
  return {
    ...facts,
    scope: { done: 8 + below(facts.scope.total), total: 8 + facts.scope.total + critical + major },
    quality: {
      resolved: 8,
      total: 8 + critical + major,
      open: { critical, major, minor: 0, unspecified: 0 },
    },
    ops: { done: 5 - open, total: 5, openItems: TITLES.slice(5 - open) },
    stability: { succeeded: 20 + below(100), failed: below(60), inProgress: 0 },
  };
};

/** Something that is required has not been measured, nothing measured fails. */
const unmeasured = (below: Below, asOf: number): ReleaseFacts => {
  const facts = ready(below, asOf);
  return below(2) === 0
    ? { ...facts, verification: null }
    : { ...facts, stability: { succeeded: 0, failed: 0, inProgress: below(2) } };
};

/** `count` releases as they occur: a third ready, a third held, a third with an axis that nothing was reported for. */
export const engineFacts = (count: number, asOf: number): readonly ReleaseFacts[] => {
  const below = numbers(20_260_101);
  const kinds = [ready, held, unmeasured];
  return Array.from({ length: count }, (_, index) => (kinds[index % 3] ?? ready)(below, asOf));
};
