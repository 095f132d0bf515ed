import * as fc from 'fast-check';
import type { Operation } from './description.js';
import { outsides, waits } from './other-steps.js';
import { AT_ONCE, type Request, type Step } from './step.js';
import { type Requests, requestsTo } from './step-of.js';

/** So many steps has a sequence at most. */
const LONGEST = 100;
/** So many kinds of operations a sequence is made of at most: few make it go deeper. */
const MOST_KINDS = 24;

const repeated = (request: Request): Step => ({
  kind: 'burst',
  requests: Array.from({ length: AT_ONCE }, () => request),
});

const ALWAYS = 1_000_000;

/** The sequences that can be made of the operations of a document. */
export interface Corpus {
  /** Every operation once, as it is meant to be called. */
  readonly tour: fc.Arbitrary<readonly Step[]>;
  /** Every operation once, with a parameter in its query that it does not know. */
  readonly refusals: fc.Arbitrary<readonly Step[]>;
  /** Sequences of a few operations, drawn by the seed. */
  sequences(seed: number): fc.Arbitrary<readonly Step[]>;
}

/** The places of an operation in a tour: what ends something comes after what makes use of it. */
const RANKS: Readonly<Record<string, readonly number[]>> = {
  finishHostConnection: [0],
  changeChecklistItem: [0, 0.4],
  confirmChecklistItem: [0.5],
  // One to accept, and one that stays to be revoked.
  createInvitation: [0, 0.5],
  replayDelivery: [2],
  parkRelease: [3.1],
  activateRelease: [0, 3.2],
  changePassword: [5],
  signOut: [6],
};
const ranksOf = ({ method, id, path }: Operation): readonly number[] => {
  const own = RANKS[id];
  if (own !== undefined) return own;
  if (/\/(ship|cancel)$/.test(path)) return [4];
  // What lies deepest goes first.
  if (method === 'DELETE') return [3 - path.length / 1000];
  return [method === 'GET' ? 1 : 0];
};

export const corpusOf = (operations: readonly Operation[]): Corpus => {
  const requests: readonly Requests[] = operations.map(requestsTo);
  const ordered = operations
    .flatMap((operation, at) => ranksOf(operation).map((rank) => ({ rank, requests: requests[at] })))
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ requests: found }) => (found === undefined ? [] : [found.valid]));
  const outside = outsides(operations.map(({ path }) => path));
  const deck = fc.uniqueArray(fc.nat(operations.length - 1), { minLength: 4, maxLength: MOST_KINDS, size: 'max' });
  const stepsOf = (kinds: readonly number[]): fc.Arbitrary<readonly Step[]> => {
    const found: readonly fc.Arbitrary<Request>[] = kinds.flatMap((kind) => requests[kind]?.any ?? []);
    const burst = fc.record<Step & { readonly kind: 'burst' }>({
      kind: fc.constant('burst'),
      requests: fc.array(fc.oneof(...found), { minLength: 2, maxLength: AT_ONCE }),
    });
    const step = fc.oneof(
      { weight: 60, arbitrary: fc.oneof(...found) },
      { weight: 3, arbitrary: fc.oneof(burst, fc.oneof(...found).map(repeated)) },
      { weight: 1, arbitrary: waits },
      { weight: 1, arbitrary: outside },
    );
    return fc.array<Step>(step, { minLength: 1, maxLength: LONGEST, size: 'max' });
  };
  const surplus = ({ query, ...request }: Request): Request => ({ ...request, query: [...query, ['surplus', '1']] });
  const tourOf = (each: readonly fc.Arbitrary<Request>[]): fc.Arbitrary<readonly Step[]> => {
    // Every one is there at first; what is shortened leaves some out.
    const optional = each.map((request) => fc.option<Step, undefined>(request, { nil: undefined, freq: ALWAYS }));
    const demo: Step = { kind: 'demo' };
    return fc.tuple(...optional).map((steps) => [demo, ...steps.filter((step): step is Step => step !== undefined)]);
  };
  return {
    tour: tourOf(ordered),
    refusals: tourOf(ordered.map((request) => request.map(surplus))),
    sequences: (seed) => stepsOf(fc.sample(deck, { seed, numRuns: 1 }).flat()),
  };
};
