import type { Instant } from '../time.js';
import { type AssessOptions, assessWith } from './assess-release.js';
import type { AxisDefinition } from './axes/own.js';
import { AXES, type Axis } from './axis.js';
import { NO_WAIVERS } from './basis.js';
import type { ReleaseFacts } from './facts.js';
import { byName, isOwnName, type OwnAxis } from './own-axis.js';
import { cannotChange, type Policy } from './policy.js';
import type { ReadinessReport } from './report.js';
import type { Waiver } from './waiver.js';

/** The five axes of the engine, as {@link createEngine} takes them. */
export const FIVE_AXES: readonly Axis[] = AXES;

/** Facts with those of the program's own axes, by name; an axis without facts is unmeasured. */
export type EngineFacts = Omit<ReleaseFacts, 'ownAxes'> & { readonly ownAxes?: Readonly<Record<string, unknown>> };

/** The engine with axes of a program's own. */
export interface Engine {
  /**
   * Judges a release like `assessRelease`. `policy.ownAxes` has the demands on own axes by name. A defined axis that is
   * missing there has weight 0; an axis there that is not defined is measured by its latest report.
   * @throws TypeError that names every fault of the arguments, or a defined axis whose share is no part of a whole
   */
  readonly assess: (
    facts: EngineFacts,
    policy: Policy,
    asOf: Instant,
    waivers?: readonly Waiver[],
    options?: AssessOptions,
  ) => ReadinessReport;
}

/**
 * Checks the definition of an axis and returns it.
 * @throws TypeError for a name that is taken or not allowed
 */
export const defineAxis = <Facts>(definition: AxisDefinition<Facts>): AxisDefinition<Facts> => {
  if (!isOwnName(definition.name))
    throw new TypeError(
      `The name of an axis must be a small letter and 1 to 39 small letters, digits and underscores, and none of the five axes: ${String(definition.name)}`,
    );
  return Object.freeze({ ...definition });
};

const isDefinition = (axis: Axis | AxisDefinition<never>): axis is AxisDefinition<never> => typeof axis !== 'string';

/** The policy with an entry for each defined axis; those that it does not name get weight 0. */
const withDefined = (policy: Policy, definitions: readonly AxisDefinition[]): Policy => {
  const named: readonly OwnAxis[] = policy.ownAxes ?? [];
  const more = definitions.filter(({ name }) => !named.some((axis) => axis.name === name));
  const titled = named.map((axis) => {
    const definition = definitions.find(({ name }) => name === axis.name);
    return definition === undefined ? axis : { title: definition.title, unit: definition.unit, ...axis };
  });
  const ownAxes = [...titled, ...more.map(({ name, title, unit }) => ({ name, title, unit }))].sort(byName);
  return { ...policy, ownAxes };
};

/** Freezes a policy and its own axes; everything else in it must be frozen already. */
const withFixedAxes = ({ ownAxes = [], ...policy }: Policy): Policy =>
  Object.freeze({
    ...policy,
    ownAxes: Object.freeze(
      ownAxes.map(({ unit, ...axis }) =>
        Object.freeze(unit === undefined ? axis : { ...axis, unit: Object.freeze({ ...unit }) }),
      ),
    ),
  });

/**
 * Makes an engine that judges by the five axes and those of the program.
 * @param axes the five (`FIVE_AXES`) and those from {@link defineAxis}, in any order
 * @throws TypeError where one of the five is missing, or a name is there twice
 */
export const createEngine = ({ axes }: { readonly axes: readonly (Axis | AxisDefinition<never>)[] }): Engine => {
  for (const axis of AXES)
    if (!axes.includes(axis)) throw new TypeError(`An engine judges by the five axes: ${axis} is missing`);
  // A definition reads the facts that are given under its own name, whose type the program knows.
  const definitions = axes.filter(isDefinition) as unknown as readonly AxisDefinition[];
  const defined = new Map(definitions.map((definition) => [definition.name, definition]));
  if (defined.size + AXES.length !== axes.length) throw new TypeError('Each axis must be there once');
  // A policy that cannot change is completed once.
  const completed = new WeakMap<Policy, Policy>();
  const complete = (policy: Policy): Policy => {
    const known = completed.get(policy);
    if (known !== undefined) return known;
    const whole = withDefined(policy, definitions);
    if (!cannotChange(policy)) return whole;
    const fixed = withFixedAxes(whole);
    completed.set(policy, fixed);
    return fixed;
  };
  return Object.freeze({
    assess: (facts, policy, asOf, waivers = NO_WAIVERS, options = {}) =>
      assessWith(
        defined,
        facts as ReleaseFacts,
        defined.size === 0 ? policy : complete(policy),
        ...([asOf, waivers, options] as const),
      ),
  } satisfies Engine);
};
