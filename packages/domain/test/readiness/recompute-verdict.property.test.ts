import { expect } from 'chai';
import fc from 'fast-check';
import { recomputeVerdict } from '../../src/readiness/index.js';
import { PREDICATE } from './sample-predicate.js';

type Place = readonly string[];

/** Every place in a tree, leaves and branches. */
const placesOf = (tree: unknown, at: Place = []): readonly Place[] =>
  typeof tree === 'object' && tree !== null
    ? [at, ...Object.entries(tree).flatMap(([name, branch]) => placesOf(branch, [...at, name]))]
    : [at];

/** The tree with something else in that place. */
const withAt = (tree: unknown, [name, ...rest]: Place, put: unknown): unknown => {
  if (name === undefined) return put;
  if (Array.isArray(tree))
    return tree.map((branch, index) => (String(index) === name ? withAt(branch, rest, put) : branch));
  const branches = tree as Readonly<Record<string, unknown>>;
  return { ...branches, [name]: withAt(branches[name], rest, put) };
};

const at = (tree: unknown, place: Place): unknown =>
  place.reduce<unknown>((branch, name) => (branch as Readonly<Record<string, unknown>>)[name], tree);

const OUTCOMES = ['agrees', 'disagrees', 'unfit', 'unknown_formula', 'unknown_members'];
const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});
const odd = fc.oneof(
  anything,
  fc.constantFrom(
    2 ** 31,
    2 ** 53,
    1e308,
    -0,
    -1,
    0.5,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    '1',
    '80',
    'x',
    [],
    {},
    null,
  ),
);
const places = placesOf(PREDICATE);

describe('recomputeVerdict, on any input', () => {
  it('answers', () =>
    fc.assert(
      fc.property(anything, (value) => {
        expect(OUTCOMES).to.include(recomputeVerdict(value).outcome);
      }),
      { numRuns: 2_000 },
    ));

  it('answers for any odd value in a verdict, and agrees with no member of another kind', () =>
    fc.assert(
      fc.property(fc.constantFrom(...places), odd, (place, put) => {
        const { outcome } = recomputeVerdict(withAt(PREDICATE, place, put));
        expect(OUTCOMES).to.include(outcome);
        const was = at(PREDICATE, place);
        if (was !== null && put !== null && typeof was !== typeof put && typeof put !== 'undefined')
          expect(outcome).not.to.equal('agrees');
      }),
      { numRuns: 5_000 },
    ));

  it('answers wherever a member is missing', () => {
    for (const place of places.filter(({ length }) => length > 0)) {
      const parent = at(PREDICATE, place.slice(0, -1));
      const name = place.at(-1) ?? '';
      const rest = Object.fromEntries(Object.entries(parent as object).filter(([each]) => each !== name));
      const put = Array.isArray(parent) ? Object.values(rest) : rest;
      expect(OUTCOMES).to.include(recomputeVerdict(withAt(PREDICATE, place.slice(0, -1), put)).outcome);
    }
  });

  it('never agrees that it was judged at no moment', () =>
    fc.assert(
      fc.property(fc.string(), (as_of) => {
        expect(recomputeVerdict({ ...PREDICATE, as_of }).outcome).to.equal('unfit');
      }),
    ));
});
