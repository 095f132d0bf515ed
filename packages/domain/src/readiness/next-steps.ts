import type { Instant } from '../time.js';
import { measureFiveAxes } from './all-axes.js';
import { stabilityBoundOf } from './axes/stability.js';
import { worseSuiteOf, worseSuiteText } from './axes/verification.js';
import { AXES, AXIS_PLACE, type Axis, type AxisName } from './axis.js';
import { axisWords } from './counted-axis.js';
import { afterImport, beforeImport, NAMED_ITEMS, type OpsFacts, type ReleaseFacts, type SuiteRun } from './facts.js';
import { gateDemands } from './gate.js';
import {
  type LeastWork,
  leastWork,
  openBugs,
  openIssues,
  partsToRaiseAt,
  unitsToMeasureAt,
  type Work,
} from './least-work.js';
import {
  flooredRatio,
  fromHundredths,
  MAX_COUNT,
  type Share,
  type Shares,
  share,
  weightedHundredths,
} from './numbers.js';
import { isCounted, ownTitle, unitOf } from './own-axis.js';
import type { Policy } from './policy.js';
import type { NextStep, StepAction } from './report.js';
import type { Waiver } from './waiver.js';
import { counted, limitText } from './words.js';

const NO_GAIN_SHARE: Share = Object.freeze(share(0, 1));

const added = (before: Share, parts: number): Share =>
  parts === 0 || before.whole === 0 ? NO_GAIN_SHARE : share(parts, before.whole);

/**
 * The exact gain of `parts` more parts of one axis alone (ticked items, passing tests): their share of the whole, times
 * the axis' part of the measured weight. null: nothing is measured.
 */
const gainOfOne = (weight: number, before: Share, parts: number, measured: number): number | null => {
  if (measured === 0) return null;
  const top = 10_000 * weight * parts;
  if (top <= Number.MAX_SAFE_INTEGER) return fromHundredths(flooredRatio(top, before.whole * measured));
  return fromHundredths(Number((10_000n * BigInt(weight) * BigInt(parts)) / BigInt(before.whole * measured)));
};

/**
 * The exact gain of closed issues and resolved bugs together: the mean of the added parts, as wholes and weights stay.
 */
const gainOfBoth = (
  { weights }: Policy,
  shares: Shares,
  measured: number,
  issues: number,
  bugs: number,
): number | null => {
  if (measured === 0) return null;
  const scope = shares[AXIS_PLACE.scope];
  const quality = shares[AXIS_PLACE.quality];
  if (bugs === 0) return gainOfOne(weights.scope, scope, issues, measured);
  const gained = [added(scope, issues), added(quality, bugs)];
  return fromHundredths(weightedHundredths([weights.scope, weights.quality], gained, measured));
};

/** Gain of closing `count` issues, some of them bugs if there are too few others. null while scope is unmeasured. */
const issuesGain = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  measured: number,
  count: number,
): number | null => {
  if (shares[AXIS_PLACE.scope].whole === 0) return null;
  const bugs = Math.max(0, count - Math.max(0, openIssues(facts) - openBugs(facts)));
  return gainOfBoth(policy, shares, measured, count, bugs);
};

/** Gain of resolving so many bugs, which closes as many issues. null while quality is unmeasured. */
const bugsGain = (policy: Policy, shares: Shares, measured: number, count: number): number | null =>
  shares[AXIS_PLACE.quality].whole === 0 ? null : gainOfBoth(policy, shares, measured, count, count);

/**
 * Gain of so many further successful deployments; null while stability is unmeasured. With s succeeded, f failed and n
 * more, (s + n) / (s + n + f) - s / (s + f) = n f / ((s + n + f) (s + f)).
 */
const deploymentsGain = (
  facts: ReleaseFacts,
  { weights }: Policy,
  shares: Shares,
  measured: number,
  count: number,
): number | null => {
  if (measured === 0 || shares[AXIS_PLACE.stability].whole === 0) return null;
  const { succeeded, failed } = facts.stability;
  const finished = succeeded + failed;
  const top = 10_000 * weights.stability * count * failed;
  const bottom = measured * (finished + count) * finished;
  if (top <= Number.MAX_SAFE_INTEGER && bottom <= Number.MAX_SAFE_INTEGER)
    return fromHundredths(flooredRatio(top, bottom));
  const exactTop = 10_000n * BigInt(weights.stability) * BigInt(count) * BigInt(failed);
  return fromHundredths(Number(exactTop / (BigInt(measured) * BigInt(finished + count) * BigInt(finished))));
};

/** The message while an import runs: there is nothing to do. */
const awaitImportMessage = (): string =>
  'Wait until the issues of the release are imported, which ends by itself: there is nothing to do for it';

/** "Add 1 issue ...", for an axis that has no issue to be measured by. */
export const addIssuesMessage = (axis: 'scope' | 'quality'): string =>
  axis === 'scope'
    ? 'Add at least 1 issue to the release and close it'
    : 'Add at least 1 issue to the release and close it: without issues nothing is known about bugs';

/** `bugsToo`: there are also steps about bugs, and bugs they resolve count as closed issues. */
export const closeIssuesMessage = (count: number, bugsToo: boolean): string =>
  `Close ${counted(count, 'more issue')}${bugsToo ? ', resolved bugs included' : ''}`;

/** `criticalToo`: there is also a step about critical bugs, and those it resolves count here too. */
export const resolveBugsMessage = (count: number, criticalToo: boolean): string =>
  `Resolve ${counted(count, 'more bug')}${criticalToo ? ', critical ones included' : ''}`;

/** "Resolve 2 critical bugs". */
const resolveCriticalBugsMessage = (count: number): string => `Resolve ${counted(count, 'critical bug')}`;

/** "Add 1 checklist item ...", for a release to which none applies. */
export const addItemsMessage = (): string => 'Add at least 1 item to the launch checklist and tick it';

/** Names the open items, the first 20 of them at most, and which of them await an owner. */
export const tickItemsMessage = (count: number, { done, total, openItems, notApplicable = [] }: OpsFacts): string => {
  const awaiting = notApplicable.flatMap(({ title, confirmed }) => (confirmed ? [] : [title]));
  const open = total - done;
  const named = Math.min(openItems.length, NAMED_ITEMS);
  let message =
    count < open ? `Tick ${count} of ${open} open checklist items` : `Tick ${counted(count, 'checklist item')}`;
  for (let index = 0; index < named; index++) {
    const title = openItems[index] ?? '';
    message += (index === 0 ? ': ' : ', ') + title;
    if (awaiting.includes(title)) message += ' (marked not applicable, awaits an owner)';
  }
  return named > 0 && open > named ? `${message} and ${open - named} more` : message;
};

/** Names what must pass, and that the total stays as it is. */
export const fixTestsMessage = (count: number, total: number): string =>
  `Make ${counted(count, 'more test')} pass, with ${total} run in total`;

/** Why a new run is needed, under the policy's freshness. */
export const recordRunMessage = (
  { verification, testRunSetAside = null }: ReleaseFacts,
  { freshnessHours }: Policy,
): string => {
  if (testRunSetAside !== null)
    return 'Record a test run in which every test passes for each suite whose latest one is set aside';
  if (verification === null || freshnessHours === null) return 'Record a test run in which every test passes';
  const age = limitText(freshnessHours);
  return verification.runs > 1
    ? `Record a test run in which every test passes for each suite whose latest one is older than ${age}`
    : `Record a test run in which every test passes: the latest one is older than ${age}`;
};

/** Which suite is left out, and what the policy must say to count it. */
const countEverySuiteMessage = (worse: SuiteRun): string =>
  `Only the latest test run counts, and ${worseSuiteText(worse)}: verification latest_per_suite in the policy counts every suite`;

const failures = ({ stability }: ReleaseFacts): string =>
  stability.failed === 1
    ? '1 failed deployment counts in the release window'
    : `${stability.failed} failed deployments count in the release window`;

/** A statement of what is missing, never advice to deploy. */
const deploymentsMessage = (facts: ReleaseFacts, policy: Policy, least: LeastWork): string => {
  const { work, stabilityStuck, scoreStuck } = least;
  if (!stabilityStuck && !scoreStuck)
    return `Stability needs ${counted(work.deployments, 'more successful deployment')}`;
  const [demand, subject, goal] = stabilityStuck
    ? [policy.minimums.stability, 'stability', 'its minimum']
    : [policy.threshold, 'the score', 'the threshold'];
  const most = demand < 100 ? ` up to ${MAX_COUNT}` : '';
  if (stabilityStuck && stabilityBoundOf(policy) === 'upper_bound')
    return `No number of successful deployments${most} brings stability, by the upper bound of its failure rate, to its minimum of ${demand}`;
  return `No number of successful deployments${most} brings ${subject} to ${goal} of ${demand} while ${failures(facts)}`;
};

const NO_STEPS: readonly NextStep[] = Object.freeze([]);

const step = (
  axis: AxisName,
  action: StepAction,
  count: number | null,
  gain: number | null,
  message: string,
): NextStep => ({ axis, action, count, gain, message });

/** The statement that the policy leaves a worse suite out; none where it does not. */
export const suiteSteps = (facts: ReleaseFacts, policy: Policy): readonly NextStep[] => {
  const worse = worseSuiteOf(facts.verification, policy);
  if (worse === null || policy.weights.verification === 0 || facts.testRunSetAside) return NO_STEPS;
  return [step('verification', 'count_every_suite', null, null, countEverySuiteMessage(worse))];
};

/** The inputs of every step: facts, policy, the axes' shares, and the weight of the measured axes. */
interface StepInputs {
  readonly facts: ReleaseFacts;
  readonly policy: Policy;
  readonly shares: Shares;
  readonly measured: number;
}

type AddSteps = (steps: NextStep[], inputs: StepInputs, least: LeastWork) => void;

const addIssueSteps = (steps: NextStep[], inputs: StepInputs, work: Work, issuesFor: 'scope' | 'quality'): void => {
  const { facts, policy, shares, measured } = inputs;
  const { addIssues, closeIssues, resolveBugs, resolveCriticalBugs: critical } = work;
  if (addIssues > 0) steps.push(step(issuesFor, 'add_issues', addIssues, null, addIssuesMessage(issuesFor)));
  if (closeIssues > 0) {
    const message = closeIssuesMessage(closeIssues, resolveBugs > 0 || critical > 0);
    const gain = issuesGain(facts, policy, shares, measured, closeIssues);
    steps.push(step('scope', 'close_issues', closeIssues, gain, message));
  }
  if (critical > 0) {
    const message = resolveCriticalBugsMessage(critical);
    steps.push(
      step('quality', 'resolve_critical_bugs', critical, bugsGain(policy, shares, measured, critical), message),
    );
  }
  if (resolveBugs > 0) {
    const message = resolveBugsMessage(resolveBugs, critical > 0);
    steps.push(step('quality', 'resolve_bugs', resolveBugs, bugsGain(policy, shares, measured, resolveBugs), message));
  }
};

const addOpsSteps: AddSteps = (steps, inputs, { work }) => {
  const addItems = unitsToMeasureAt(work, AXIS_PLACE.ops);
  const tickItems = partsToRaiseAt(work, AXIS_PLACE.ops);
  const { facts, policy, shares, measured } = inputs;
  if (addItems > 0) steps.push(step('ops', 'add_checklist_items', addItems, null, addItemsMessage()));
  if (tickItems === 0) return;
  const gain = gainOfOne(policy.weights.ops, shares[AXIS_PLACE.ops], tickItems, measured);
  steps.push(step('ops', 'tick_checklist_items', tickItems, gain, tickItemsMessage(tickItems, facts.ops)));
};

const addTestSteps: AddSteps = (steps, inputs, { work }) => {
  const recordRuns = unitsToMeasureAt(work, AXIS_PLACE.verification);
  const fixTests = partsToRaiseAt(work, AXIS_PLACE.verification);
  const { facts, policy, shares, measured } = inputs;
  if (recordRuns > 0)
    steps.push(step('verification', 'record_test_run', recordRuns, null, recordRunMessage(facts, policy)));
  if (fixTests > 0) {
    const gain = gainOfOne(policy.weights.verification, shares[AXIS_PLACE.verification], fixTests, measured);
    const message = fixTestsMessage(fixTests, shares[AXIS_PLACE.verification].whole);
    steps.push(step('verification', 'fix_tests', fixTests, gain, message));
  }
  steps.push(...suiteSteps(facts, policy));
};

const addDeploymentStep: AddSteps = (steps, inputs, least) => {
  const { facts, policy, shares, measured } = inputs;
  const { deployments } = least.work;
  const stuck = least.stabilityStuck || (least.scoreStuck && policy.weights.stability > 0);
  if (!stuck && deployments === 0) return;
  const gain = stuck ? null : deploymentsGain(facts, policy, shares, measured, deployments);
  const message = deploymentsMessage(facts, policy, least);
  steps.push(step('stability', 'deploy_successfully', stuck ? null : deployments, gain, message));
};

/**
 * Adds the steps of own axes. An unmeasured axis needs a report in which its part is the whole, or something to count;
 * a measured one needs more parts.
 */
const addOwnSteps: AddSteps = (steps, { policy, shares, measured }, { work }) => {
  let place = AXES.length - 1;
  for (const own of policy.ownAxes ?? []) {
    place += 1;
    const before = shares[place] ?? NO_GAIN_SHARE;
    const reports = unitsToMeasureAt(work, place);
    const parts = partsToRaiseAt(work, place);
    const { one, many } = unitOf(own);
    const title = ownTitle(own);
    const words = axisWords(own.countedFrom);
    if (reports > 0)
      steps.push(
        isCounted(own)
          ? step(own.name, 'provide', reports, null, `${title}: ${words.provide}`)
          : step(own.name, 'report', reports, null, `${title}: report all ${many} as reached`),
      );
    if (parts === 0) continue;
    const gain = gainOfOne(own.weight ?? 0, before, parts, measured);
    const message = `${title}: ${words.improve} ${parts} more ${parts === 1 ? one : many} of ${before.whole}`;
    steps.push(step(own.name, 'improve', parts, gain, message));
  }
};

const ADD_STEPS: { readonly [axis in Exclude<Axis, 'scope' | 'quality'>]: AddSteps } = Object.freeze({
  ops: addOpsSteps,
  verification: addTestSteps,
  stability: addDeploymentStep,
});

const IN_ORDER: readonly AddSteps[] = AXES.flatMap((axis) =>
  axis === 'scope' || axis === 'quality' ? [] : [ADD_STEPS[axis]],
);

/** The least work, and whether issues must be imported before it. */
interface Awaited {
  readonly least: LeastWork;
  /** The axis for which an import is awaited; null: none is awaited. */
  readonly awaitFor: 'scope' | 'quality' | null;
}

const leastAwaited = ({ facts, policy, shares }: StepInputs, waivers: readonly Waiver[], asOf: Instant): Awaited => {
  const leastOf = (some: ReleaseFacts, reached: Shares): LeastWork =>
    leastWork(some, policy, reached, gateDemands(policy, reached, waivers, asOf));
  if (facts.issuesPending === true) {
    // An axis that lacks an issue to be measured needs no step: the import brings issues.
    const { work, issuesFor } = leastOf(beforeImport(facts), shares);
    const imported = afterImport(facts);
    const [, , ...others] = shares;
    const [scope, quality] = measureFiveAxes(imported, policy, asOf);
    // An import changes only scope and quality.
    const after: Shares = [scope, quality, ...others];
    if (work.addIssues > 0) return { least: leastOf(imported, after), awaitFor: issuesFor };
  }
  return { least: leastOf(facts, shares), awaitFor: null };
};

/**
 * The least that yields `go`, at most one step per axis and action, in axis order; waived reasons stay waived. A step
 * is a target ("at least so many of these") and targets overlap, see {@link factsAfter}: doing all steps yields `go`,
 * and with any of them smaller by one it is not `go`. A step without a count says that no number can clear its reason;
 * both statements then hold for all other reasons. `await_import` has no count either: it ends by itself, and the other
 * steps assume the best result it can have. `count_every_suite` is no target. `measured` is the weight of the measured axes.
 */
export const nextSteps = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  measured: number,
  waivers: readonly Waiver[],
  asOf: Instant,
): readonly NextStep[] => {
  const inputs: StepInputs = { facts, policy, shares, measured };
  const { least, awaitFor } = leastAwaited(inputs, waivers, asOf);
  const steps: NextStep[] = [];
  if (awaitFor !== null) steps.push(step(awaitFor, 'await_import', null, null, awaitImportMessage()));
  addIssueSteps(steps, inputs, least.work, least.issuesFor);
  for (const addSteps of IN_ORDER) addSteps(steps, inputs, least);
  if (policy.ownAxes !== undefined) addOwnSteps(steps, inputs, least);
  return steps;
};
