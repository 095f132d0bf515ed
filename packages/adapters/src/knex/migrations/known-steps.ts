import type { SchemaStep } from './step.js';

/** The steps that are not the program's own at their place, as `16 "returns"`; none when all are known. */
export const unknownSteps = (taken: readonly string[], steps: readonly Pick<SchemaStep, 'name'>[]): readonly string[] =>
  taken.flatMap((name, place) => (name === steps[place]?.name ? [] : [`${place + 1} "${name}"`]));

/** @throws Error when the schema has taken steps that this program does not know: a later version changed it */
export const requireKnownSteps = (taken: readonly string[], steps: readonly Pick<SchemaStep, 'name'>[]): void => {
  const unknown = unknownSteps(taken, steps);
  if (unknown.length === 0) return;
  throw new Error(
    `The database was changed by a later version: this program does not know the schema's ${
      unknown.length === 1 ? 'step' : 'steps'
    } ${unknown.join(', ')}. Start the later version, or restore a backup from before the upgrade. Nothing was changed.`,
  );
};
