import { EXIT, type ExitCode } from '../failure.js';
import { withoutUserinfo } from '../git/remote-url.js';
import { harmless } from '../output/safe-text.js';
import type { Paint } from '../output/screen.js';
import type { StepState } from './finding.js';
import type { GroupResult, StepResult } from './step.js';

/** As the specification words them. */
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

/** One line, without what steers a terminal, and without the user and password of an address. */
export const safeLine = (text: string): string => harmless(withoutUserinfo(text)).replace(/\s*\n\s*/g, ' ');

const painted = (state: StepState, paint: Paint): string => {
  const text = WORDS[state].padEnd(14);
  return { ready: paint.good, needs_action: paint.bad, could_not_check: paint.attention }[state](text);
};

const linesOf = ({ title, state, standing, what, fix, source }: StepResult, paint: Paint): readonly string[] => {
  const counted = standing === 'counted';
  const word = counted ? painted(state, paint) : paint.faint(standing.replace('_', ' ').padEnd(14));
  const indent = ' '.repeat(17);
  return [
    `  ${word} ${title}`,
    `${indent}${safeLine(what)}`,
    ...(source === undefined ? [] : [paint.faint(`${indent}from ${safeLine(source)}`)]),
    ...(fix === undefined || standing === 'not_needed' ? [] : [`${indent}${paint.attention('fix:')} ${safeLine(fix)}`]),
  ];
};

const count = (results: readonly GroupResult[], state: StepState): number =>
  results.flatMap(({ steps }) => steps).filter((step) => step.standing === 'counted' && step.state === state).length;

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
export const resultsText = (results: readonly GroupResult[], paint: Paint): string =>
  [
    ...results.flatMap(({ title, state, steps }, index) => [
      `${index + 1}. ${paint.strong(title)}: ${WORDS[state]}`,
      ...steps.flatMap((step) => linesOf(step, paint)),
      '',
    ]),
    closing(results),
  ].join('\n');

/** The results for programs; members are only ever added. */
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
      counted: step.standing === 'counted',
      what: safeLine(step.what),
      fix: step.fix === undefined ? null : safeLine(step.fix),
      source: step.source === undefined ? null : safeLine(step.source),
    })),
  })),
});
