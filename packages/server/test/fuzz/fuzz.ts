import * as fc from 'fast-check';
import { type Corpus, corpusOf } from './corpus.js';
import { SequenceFailure } from './judge.js';
import type { Rig } from './rig.js';
import { runSequence } from './sequence.js';
import type { Step } from './step.js';

export interface FuzzOptions {
  /** At least so many requests. */
  readonly cases: number;
  readonly seed: number;
  /** Sequences that run at the same time; one unless given. */
  readonly lanes?: number;
  /**
   * Sequences before those made at random that call every operation as it is meant, three unless given; up to
   * MOST_TOURS times as many while an operation never succeeded, even beyond `cases`. None: the first sequence is the one that this seed draws.
   */
  readonly tours?: number;
  readonly onProgress?: (told: string) => void;
}

/** Something that went wrong, with the shortest sequence that was found for it. */
export interface Finding {
  readonly sign: string;
  readonly message: string;
  readonly transcript: readonly string[];
  /** The seed that finds it again as the first sequence of a run. */
  readonly seed: number;
}

/** A tour draws who asks for what: an operation that needs another's success may miss it by chance many times. */
const MOST_TOURS = 8;

/** After so many attempts to shorten a sequence it is short enough. */
const MOST_ATTEMPTS = 400;

/** Runs sequences until there were enough requests, and answers what went wrong, each defect once. */
export const fuzz = async (rig: Rig, options: FuzzOptions): Promise<readonly Finding[]> => {
  const { cases, seed, lanes = 1, tours = 3, onProgress } = options;
  const corpus: Corpus = corpusOf([...rig.operations.values()]);
  const findings = new Map<string, Finding>();
  const before = rig.tally.total;
  let started = 0;
  let told = 0;
  let casts = 0;

  const runOne = async (arbitrary: fc.Arbitrary<readonly Step[]>, own: number): Promise<void> => {
    let last: SequenceFailure | undefined;
    let attempts = 0;
    let broken: unknown;
    const property = fc.asyncProperty(arbitrary, async (steps) => {
      attempts += 1;
      if (attempts > MOST_ATTEMPTS) return;
      casts += 1;
      try {
        await runSequence(rig, steps, casts);
      } catch (error) {
        // What breaks the fuzz itself is nothing to be shortened.
        if (!(error instanceof SequenceFailure)) {
          broken ??= error;
          return;
        }
        // Another defect than the one that is being shortened, or one that is known.
        if (findings.has(error.sign) || (last !== undefined && last.sign !== error.sign)) return;
        last = error;
        throw error;
      }
    });
    const { failed, errorInstance } = await fc.check(property, { seed: own, numRuns: 1 });
    if (broken !== undefined) throw broken;
    if (!failed) return;
    if (last === undefined) throw errorInstance;
    findings.set(last.sign, { sign: last.sign, message: last.message, transcript: last.transcript, seed: own });
    onProgress?.(`found: ${last.message}`);
  };

  const ids = [...rig.operations.keys()];
  /** Whether the sequence of that number is one more tour, because an operation never succeeded. */
  const toursAgain = (nth: number): boolean => nth <= MOST_TOURS * tours && ids.some((id) => rig.tally.of(id, 2) === 0);
  const chosen = (nth: number): fc.Arbitrary<readonly Step[]> => {
    if (tours > 0 && nth === 0) return corpus.refusals;
    if (tours > 0 && (nth <= tours || toursAgain(nth))) return corpus.tour;
    return corpus.sequences(seed + nth);
  };

  const lane = async (): Promise<void> => {
    while (rig.tally.total - before < cases || toursAgain(started)) {
      const nth = started;
      started += 1;
      await runOne(chosen(nth), seed + nth);
      if (rig.tally.total - told < 10_000) continue;
      told = rig.tally.total;
      onProgress?.(`${told} requests in ${started} sequences, ${findings.size} findings`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return [...findings.values()];
};
