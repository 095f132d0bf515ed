import { usageFailure } from '../failure.js';
import type { Group, Step } from './step.js';

/** The steps that are named, by themselves or by their group, and what they depend on, in order; all when none is named. Failure (exit 2) for an unknown name. */
export const chooseSteps = (groups: readonly Group[], names: readonly string[]): readonly Step[] => {
  const all = groups.flatMap(({ steps }) => steps);
  if (names.length === 0) return all;
  const wanted = new Set<string>();
  const want = (id: string): void => {
    if (wanted.has(id)) return;
    wanted.add(id);
    for (const before of all.find((step) => step.id === id)?.after ?? []) want(before);
  };
  for (const name of names) {
    const ids =
      groups.find(({ id }) => id === name)?.steps.map(({ id }) => id) ??
      all.map(({ id }) => id).filter((id) => id === name);
    if (ids.length === 0)
      throw usageFailure(
        `There is no check ${name}.`,
        `Groups: ${groups.map(({ id }) => id).join(', ')}.`,
        `Steps: ${all.map(({ id }) => id).join(', ')}.`,
      );
    for (const id of ids) want(id);
  }
  return all.filter(({ id }) => wanted.has(id));
};
