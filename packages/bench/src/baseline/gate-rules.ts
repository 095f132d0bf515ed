import { AXES, type Axis, type PerAxis } from '@shipworthy/domain/readiness';
import { Engine } from 'json-rules-engine';

/** The scores of the axes, computed beforehand; null: unmeasured. */
export type AxisScores = PerAxis<number | null>;

/** A release as it is handed to the rules: an object per axis, as facts usually come. */
export type ScoredAxes = PerAxis<{ readonly score: number | null }>;

const engineOf = (minimums: PerAxis<number>, place: (axis: Axis) => { fact: string; path?: string }): Engine => {
  const condition = (axis: Axis) => ({ ...place(axis), operator: 'greaterThanInclusive', value: minimums[axis] });
  return new Engine([{ conditions: { all: AXES.map(condition) }, event: { type: 'go' } }]);
};

/**
 * Whether the five minimums hold, by json-rules-engine: one rule with five conditions, built once. The rules look into
 * the object of each axis, which is what the library's `path` is for.
 */
export const gateByPaths = (minimums: PerAxis<number>): ((axes: ScoredAxes) => Promise<boolean>) => {
  const engine = engineOf(minimums, (axis) => ({ fact: axis, path: '$.score' }));
  return async (axes) => (await engine.run(axes)).events.length > 0;
};

/** The same where each score is a fact of its own: the fastest form the library has. */
export const gateByFlatFacts = (minimums: PerAxis<number>): ((scores: AxisScores) => Promise<boolean>) => {
  const engine = engineOf(minimums, (axis) => ({ fact: axis }));
  return async (scores) => (await engine.run(scores)).events.length > 0;
};
