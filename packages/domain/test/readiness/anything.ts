import fc from 'fast-check';
import { DEFAULT_POLICY } from '../../src/readiness/index.js';
import { READY } from './sample-release.js';

/** Any value: JSON, and what only a program can hand in. */
export const anyValue = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

/** What is put where something else is expected; undefined takes the member away. */
export const oddValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(undefined, null, Number.NaN, -1, 0.5, 2 ** 31, Infinity, -0, '', '5', true) },
  { weight: 1, arbitrary: fc.constantFrom([], {}, 2 ** 53, 1e308, Number.NEGATIVE_INFINITY, [[]], 5n, '__proto__') },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.nat(30) },
);

type Tree = Readonly<Record<string, unknown>>;
type Place = readonly string[];

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Every place in a tree below its top. */
const placesOf = (tree: unknown, at: Place = []): readonly Place[] =>
  isTree(tree)
    ? Object.entries(tree).flatMap(([name, branch]) => [[...at, name], ...placesOf(branch, [...at, name])])
    : [];

/** The tree with something else in that place. */
const withAt = (tree: unknown, [name, ...rest]: Place, put: unknown): unknown => {
  if (name === undefined) return put;
  if (Array.isArray(tree))
    return tree.map((entry, index) => (String(index) === name ? withAt(entry, rest, put) : entry));
  if (!isTree(tree)) return tree;
  const { [name]: branch, ...others } = tree;
  const next = withAt(branch, rest, put);
  return next === undefined ? others : { ...others, [name]: next };
};

const surplusName = fc.constantFrom(
  'done',
  'isuesPending',
  'issues_pending',
  'a/b~c',
  '',
  'constructor',
  'testRunSetAsid',
);

const branchesOf = (tree: object): readonly Place[] => [
  [],
  ...placesOf(tree).filter((place) => isTree(place.reduce<unknown>((at, name) => (at as Tree)[name], tree))),
];

/** What `everyChange` puts in each place; undefined takes the member away. */
const MISFITS: readonly unknown[] = [
  ...[undefined, null, true, false, Number.NaN, -1, 0, 1, 2, 0.5, 99.999, 2 ** 31, 1e15, Number.POSITIVE_INFINITY],
  ...['', ' ', '5', 'x'.repeat(201), 5n, [], {}, [[]], [undefined], ['eu', 'eu'], () => 1],
];

/** Trees with one change each: any misfit in any place, or a member too many in any object. Said first: what was changed. */
export function* everyChange(tree: object): Generator<readonly [string, unknown]> {
  for (const place of placesOf(tree))
    for (const misfit of MISFITS)
      yield [`${place.join('.')} is ${typeof misfit} ${String(misfit)}`, withAt(tree, place, misfit)];
  for (const branch of branchesOf(tree)) yield [`more in ${branch.join('.')}`, withAt(tree, [...branch, 'more'], 0)];
}

/** A tree with some of its members changed, taken away or added. */
export const mutated = (tree: Tree): fc.Arbitrary<unknown> => {
  const places = placesOf(tree);
  const branches = branchesOf(tree);
  const change = fc.tuple(fc.constantFrom(...places), oddValue);
  const more = fc.tuple(
    fc.tuple(fc.constantFrom(...branches), surplusName).map(([at, name]) => [...at, name]),
    oddValue,
  );
  return fc
    .array(fc.oneof({ weight: 4, arbitrary: change }, more), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce<unknown>((changed, [place, put]) => withAt(changed, place, put), tree));
};

const FULL_FACTS = {
  ...READY,
  scope: { done: 7, total: 12 },
  quality: { resolved: 2, total: 6, open: { critical: 1, major: 1, minor: 1, unspecified: 1 } },
  ops: { done: 1, total: 3, openItems: ['Docs', 'Rollback'] },
  issuesAsOf: 5,
  issuesPending: false,
  sources: { deployments: { lastAt: 5, medianMs: null }, testRuns: { lastAt: 5, medianMs: 7 } },
};

/** Nearly facts. */
export const nearFacts = mutated(FULL_FACTS);
/** Nearly a policy. */
export const nearPolicy = mutated({ ...DEFAULT_POLICY, environments: ['production', 'staging'], freshnessHours: 24 });
