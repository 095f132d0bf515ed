import { Command } from '@commander-js/extra-typings';
import { agentSteps } from '../doctor/agent-steps.js';
import { CREDENTIAL_STEPS, storeToken } from '../doctor/credential-steps.js';
import { type Finding, type StepState, Unmet, uncheckedFinding } from '../doctor/finding.js';
import { HTTPS_STEPS } from '../doctor/https-steps.js';
import { NetworkFault } from '../doctor/network.js';
import { REPOSITORY_STEPS } from '../doctor/repository-steps.js';
import { CONNECTION_STEPS, HOST_STEPS, KEY_STEPS, SETTINGS_STEPS } from '../doctor/server-steps.js';
import { type Examination, examine, type Group, type GroupResult, type Step, type StepResult } from '../doctor/step.js';
import type { Surroundings } from '../doctor/surroundings.js';
import { EXIT, type ExitCode, failureOf, usageFailure } from '../failure.js';
import { withoutUserinfo } from '../git/remote-url.js';
import { harmless } from '../output/safe-text.js';
import { type Paint, paintFor } from '../output/screen.js';
import type { Act } from '../session.js';
import { asSeconds } from './option-values.js';

const HELP = `
Groups: server, host, repository, https, credentials, agent; the steps of each are named as in server.key.
Every step is ready, needs action, or couldn't be checked, with the fix. Nothing is changed, nothing is asked, no secret is shown.

Exit: 0 everything is ready, 3 a step needs action, 5 none does but something couldn't be checked.

  shipworthy doctor                                 all groups
  shipworthy doctor server https.head               only these, and what they depend on
  shipworthy doctor --store-token < token.txt       has git's credential helper keep a token, once the host accepted it
  shipworthy doctor --agent 'my-agent -p {prompt}'  also proves that an agent reads here without changing anything
`;

/** `shipworthy doctor`: whether this machine is ready to work on the linked repository. */
export const doctorCommand = (act: Act) =>
  new Command('doctor')
    .description('say whether this machine is ready to work on the linked repository, and how to make it so')
    .argument('[check...]', 'groups or steps; all unless given')
    .option(
      '--agent <command>',
      'command of a coding agent; {prompt} is replaced by the question, else it is the last argument',
    )
    .option('--agent-timeout <seconds>', 'time for the agent', asSeconds, 120)
    .option(
      '--store-token',
      "read a token of the repository host from stdin, check it, and hand it to git's credential helper",
    )
    .option('--token-username <name>', 'user name the host wants beside a token, where it is not known')
    .addHelpText('after', HELP)
    .action(
      act(
        async (
          { world, screen, globals, ended },
          checks,
          { agent, agentTimeout, storeToken: store, tokenUsername },
        ) => {
          const options = { agent, agentTimeoutMs: agentTimeout * 1000, tokenUsername };
          const surroundings = { world, screen, globals, options };
          const ending = new AbortController();
          // Ctrl-C does not reach programs in a process group of their own: the signal ends them. An open read of the
          // terminal would keep this process alive.
          ended.catch(() => {
            ending.abort();
            if (store) world.stdin.destroy();
          });
          if (store) {
            const token = await storeToken(examine(surroundings));
            const keeper = `by git's credential helper (${token.helpers.join(', ')})`;
            const whether = token.stored ? 'is stored' : 'was accepted, and would be stored';
            screen.answer(`The token for ${token.host} ${whether} as ${token.username} ${keeper}.`, token);
            return EXIT.done;
          }
          const results = await diagnose(surroundings, checks, ending.signal);
          screen.answer(resultsText(results, paintFor(world.stdout, world.env, globals.color)), resultsData(results));
          return exitOf(results);
        },
      ),
    );

/** Runs the named checks (groups or steps; all when none is named) and what they depend on. Failure (exit 2) for an unknown name. */
const diagnose = async (
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

/** Every group, in the order they are shown; a step comes after those it depends on. */
const allGroups = (agentTimeoutMs: number): readonly Group[] => [
  { id: 'server', title: 'Settings and server', steps: [...SETTINGS_STEPS, ...CONNECTION_STEPS, ...KEY_STEPS] },
  { id: 'host', title: 'Repository host', steps: HOST_STEPS },
  { id: 'repository', title: 'Repository', steps: REPOSITORY_STEPS },
  { id: 'https', title: 'Reachable over HTTPS', steps: HTTPS_STEPS },
  CREDENTIAL_STEPS,
  { id: 'agent', title: 'Agent proof', steps: agentSteps(agentTimeoutMs) },
];

/**
 * The steps that are named, by their own id or that of their group, and the steps they depend on, in order; all when
 * none is named. Failure (exit 2) for an unknown name.
 */
const chooseSteps = (groups: readonly Group[], names: readonly string[]): readonly Step[] => {
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
  if (error instanceof Unmet) return uncheckedFinding(`Depends on “${titleOf(error.step)}”, which is not ready.`);
  const failure = failureOf(error);
  if (failure !== undefined) return uncheckedFinding(sentence(failure.message), failure.fixes[0]);
  if (error instanceof NetworkFault) return uncheckedFinding(error.message);
  const name = error instanceof Error ? error.message : String(error);
  return uncheckedFinding(`The check itself failed: ${sentence(name)}`);
};

const inTime = async (step: Step, examination: Examination, signal: AbortSignal): Promise<Finding> => {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => {
      ending.abort();
      resolve(uncheckedFinding(`No answer within ${step.limitMs / 1000} seconds.`));
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

/**
 * Runs the steps and returns their findings. A step waits for the steps it depends on; all others run at the same time.
 * A step that throws or hangs does not disturb the others. The signal ends all steps and the programs they run.
 */
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
  const counted = results.filter(({ relevance }) => relevance === 'counted');
  if (counted.some(({ state }) => state === 'needs_action')) return 'needs_action';
  return counted.some(({ state }) => state === 'could_not_check') ? 'could_not_check' : 'ready';
};

/** Puts findings under their groups, in order; leaves out groups without a finding. */
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
      const relevance = spare ? 'not_needed' : asked ? 'counted' : 'not_asked';
      return [{ id: step.id, group: id, title: step.title, relevance, ...finding }];
    });
    return results.length === 0 ? [] : [{ id, title, state: worst(results), steps: results }];
  });

/** The words for each state, as the specification gives them. */
const WORDS: Readonly<Record<StepState, string>> = {
  ready: 'ready',
  needs_action: 'needs action',
  could_not_check: "couldn't check",
};

const stateOf = (results: readonly GroupResult[]): StepState => {
  const states = results.map(({ state }) => state);
  if (states.includes('needs_action')) return 'needs_action';
  return states.includes('could_not_check') ? 'could_not_check' : 'ready';
};

/** 0 when everything that counts is ready; 3 when anything needs action; else 5: something could not be checked. */
export const exitOf = (results: readonly GroupResult[]): ExitCode =>
  ({ ready: EXIT.done, needs_action: EXIT.no, could_not_check: EXIT.unchecked })[stateOf(results)];

/** The text on one line, without terminal control characters and without the user and password of an address. */
export const safeLine = (text: string): string => harmless(withoutUserinfo(text)).replace(/\s*\n\s*/g, ' ');

const painted = (state: StepState, paint: Paint): string => {
  const text = WORDS[state].padEnd(14);
  return { ready: paint.good, needs_action: paint.bad, could_not_check: paint.attention }[state](text);
};

const linesOf = ({ title, state, relevance, what, fix, source }: StepResult, paint: Paint): readonly string[] => {
  const counted = relevance === 'counted';
  const word = counted ? painted(state, paint) : paint.faint(relevance.replace('_', ' ').padEnd(14));
  const indent = ' '.repeat(17);
  return [
    `  ${word} ${title}`,
    `${indent}${safeLine(what)}`,
    ...(source === undefined ? [] : [paint.faint(`${indent}from ${safeLine(source)}`)]),
    ...(fix === undefined || relevance === 'not_needed'
      ? []
      : [`${indent}${paint.attention('fix:')} ${safeLine(fix)}`]),
  ];
};

const count = (results: readonly GroupResult[], state: StepState): number =>
  results.flatMap(({ steps }) => steps).filter((step) => step.relevance === 'counted' && step.state === state).length;

const closing = (results: readonly GroupResult[]): string => {
  if (stateOf(results) === 'ready') return 'Everything is ready.';
  const [action, unchecked] = [count(results, 'needs_action'), count(results, 'could_not_check')];
  const parts = [
    ...(action > 0 ? [`${action} ${action === 1 ? 'step needs' : 'steps need'} action`] : []),
    ...(unchecked > 0 ? [`${unchecked} couldn't be checked`] : []),
  ];
  return `${parts.join(', ')}.`;
};

/** The results for people. */
const resultsText = (results: readonly GroupResult[], paint: Paint): string =>
  [
    ...results.flatMap(({ title, state, steps }, index) => [
      `${index + 1}. ${paint.strong(title)}: ${WORDS[state]}`,
      ...steps.flatMap((step) => linesOf(step, paint)),
      '',
    ]),
    closing(results),
  ].join('\n');

/** The results as JSON for programs. Members may be added, never removed. */
export const resultsData = (results: readonly GroupResult[]) => ({
  state: stateOf(results),
  groups: results.map(({ id, title, state, steps }) => ({
    id,
    title,
    state,
    steps: steps.map((step) => ({
      id: step.id,
      group: step.group,
      title: step.title,
      state: step.state,
      counted: step.relevance === 'counted',
      what: safeLine(step.what),
      fix: step.fix === undefined ? null : safeLine(step.fix),
      source: step.source === undefined ? null : safeLine(step.source),
    })),
  })),
});
