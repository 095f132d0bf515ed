import { allGroups } from './all-groups.js';
import { chooseSteps } from './choose-steps.js';
import { examine } from './examination.js';
import { grouped, runSteps } from './run-steps.js';
import type { GroupResult } from './step.js';
import type { Surroundings } from './surroundings.js';

/** Runs the named checks (groups or steps; all when none is named) and what they depend on. Failure (exit 2) for an unknown name. */
export const diagnose = async (
  surroundings: Omit<Surroundings, 'callMs'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly GroupResult[]> => {
  const groups = allGroups(surroundings.options.agentTimeoutMs);
  const steps = chooseSteps(groups, names);
  const examination = examine(surroundings);
  const findings = await runSteps(steps, examination, signal);
  const byId = new Map(steps.flatMap(({ id }, index) => (findings[index] ? [[id, findings[index]] as const] : [])));
  return grouped(groups, byId, examination);
};
