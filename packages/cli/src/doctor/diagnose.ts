import { failureOf, usageFailure } from '../failure.js';
import { agentSteps } from './agent-steps.js';
import { CREDENTIALS } from './credential-steps.js';
import { couldNotCheck, type Finding, Unmet } from './finding.js';
import { HTTPS_STEPS } from './https-steps.js';
import { NetworkFault } from './network.js';
import { REPOSITORY_STEPS } from './repository-steps.js';
import { CONNECTION_STEPS, HOST_STEPS, KEY_STEPS, SETTINGS_STEPS } from './server-steps.js';
import { type Examination, examine, type Group, type GroupResult, type Step, type StepResult } from './step.js';
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

/** Every group, in the order they are shown; a step stands behind those it depends on. */
export const allGroups = (agentTimeoutMs: number): readonly Group[] => [
  { id: 'server', title: 'Settings and server', steps: [...SETTINGS_STEPS, ...CONNECTION_STEPS, ...KEY_STEPS] },
  { id: 'host', title: 'Repository host', steps: HOST_STEPS },
  { id: 'repository', title: 'Repository', steps: REPOSITORY_STEPS },
  { id: 'https', title: 'Reachable over HTTPS', steps: HTTPS_STEPS },
  CREDENTIALS,
  { id: 'agent', title: 'Agent proof', steps: agentSteps(agentTimeoutMs) },
];

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

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const thrown = (error: unknown, titleOf: (id: string) => string): Finding => {
  if (error instanceof Unmet) return couldNotCheck(`Depends on “${titleOf(error.step)}”, which is not ready.`);
  const failure = failureOf(error);
  if (failure !== undefined) return couldNotCheck(sentence(failure.message), failure.fixes[0]);
  if (error instanceof NetworkFault) return couldNotCheck(error.message);
  const name = error instanceof Error ? error.message : String(error);
  return couldNotCheck(`The check itself failed: ${sentence(name)}`);
};

const inTime = async (step: Step, examination: Examination, signal: AbortSignal): Promise<Finding> => {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => {
      ending.abort();
      resolve(couldNotCheck(`No answer within ${step.limitMs / 1000} seconds.`));
    }, step.limitMs);
  });
  try {
    return await Promise.race([step.check(examination, ending.signal), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    ending.abort();
  }
};

/** Answers each step's finding; steps wait for what they depend on and else run side by side. One that throws or hangs harms no other. The signal ends them all, with the programs they run. */
export const runSteps = (
  steps: readonly Step[],
  examination: Examination,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly Finding[]> => {
  const running = new Map<string, Promise<Finding>>();
  const titleOf = (id: string) => steps.find((step) => step.id === id)?.title ?? id;
  const perform = async (step: Step): Promise<Finding> => {
    try {
      for (const id of step.after) if ((await running.get(id))?.state !== 'ready') throw new Unmet(id);
      return await inTime(step, examination, signal);
    } catch (error) {
      return thrown(error, titleOf);
    }
  };
  for (const step of steps)
    running.set(
      step.id,
      Promise.resolve().then(() => perform(step)),
    );
  return Promise.all(running.values());
};

const worst = (results: readonly StepResult[]): Finding['state'] => {
  const counted = results.filter(({ standing }) => standing === 'counted');
  if (counted.some(({ state }) => state === 'needs_action')) return 'needs_action';
  return counted.some(({ state }) => state === 'could_not_check') ? 'could_not_check' : 'ready';
};

/** Puts findings under their groups, in order; a group of which nothing was looked at is left out. */
export const grouped = (
  groups: readonly Group[],
  findings: ReadonlyMap<string, Finding>,
  examination: Examination,
): readonly GroupResult[] =>
  groups.flatMap(({ id, title, steps, options = [] }) => {
    const chosen = options.find((ids) => ids.every((one) => findings.get(one)?.state === 'ready'));
    const results = steps.flatMap((step): StepResult[] => {
      const finding = findings.get(step.id);
      if (finding === undefined) return [];
      const spare = chosen !== undefined && options.flat().includes(step.id) && !chosen.includes(step.id);
      const asked = step.onlyWhenAsked?.(examination) ?? true;
      const standing = spare ? 'not_needed' : asked ? 'counted' : 'not_asked';
      return [{ id: step.id, group: id, title: step.title, standing, ...finding }];
    });
    return results.length === 0 ? [] : [{ id, title, state: worst(results), steps: results }];
  });
