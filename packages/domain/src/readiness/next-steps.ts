import type { Instant } from '../instant.js';
import { afterImport, beforeImport } from './after-import.js';
import { measureAxes } from './all-axes.js';
import { worseSuiteOf } from './axes/verification.js';
import { AXES, type Axis, PLACE } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import { gateDemands } from './gate-demands.js';
import { type LeastWork, leastWork } from './least-work.js';
import type { Policy } from './policy.js';
import type { NextStep, StepAction } from './readiness-report.js';
import type { Shares } from './share.js';
import { bugsGain, deploymentsGain, gainOfOne, issuesGain } from './step-gain.js';
import * as say from './step-messages.js';
import type { Waiver } from './waiver.js';
import { measuresAt, raisesAt, type Work } from './work.js';

const NO_STEPS: readonly NextStep[] = Object.freeze([]);

const step = (
  axis: Axis,
  action: StepAction,
  count: number | null,
  gain: number | null,
  message: string,
): NextStep => ({ axis, action, count, gain, message });

/** The statement that the policy leaves a worse suite out; none where it does not. */
export const suiteSteps = (facts: ReleaseFacts, policy: Policy): readonly NextStep[] => {
  const worse = worseSuiteOf(facts.verification, policy);
  if (worse === null || policy.weights.verification === 0 || facts.testRunSetAside) return NO_STEPS;
  return [step('verification', 'count_every_suite', null, null, say.countEverySuiteMessage(worse))];
};

/** What every step is computed from: facts, policy, the axes' shares, and the weight of the measured axes. */
interface Standing {
  readonly facts: ReleaseFacts;
  readonly policy: Policy;
  readonly shares: Shares;
  readonly measured: number;
}

type AddSteps = (steps: NextStep[], standing: Standing, least: LeastWork) => void;

const addIssueSteps = (steps: NextStep[], standing: Standing, work: Work, issuesFor: 'scope' | 'quality'): void => {
  const { facts, policy, shares, measured } = standing;
  const { addIssues, closeIssues, resolveBugs, resolveCriticalBugs: critical } = work;
  if (addIssues > 0) steps.push(step(issuesFor, 'add_issues', addIssues, null, say.addIssuesMessage(issuesFor)));
  if (closeIssues > 0) {
    const message = say.closeIssuesMessage(closeIssues, resolveBugs > 0 || critical > 0);
    const gain = issuesGain(facts, policy, shares, measured, closeIssues);
    steps.push(step('scope', 'close_issues', closeIssues, gain, message));
  }
  if (critical > 0) {
    const message = say.resolveCriticalBugsMessage(critical);
    steps.push(
      step('quality', 'resolve_critical_bugs', critical, bugsGain(policy, shares, measured, critical), message),
    );
  }
  if (resolveBugs > 0) {
    const message = say.resolveBugsMessage(resolveBugs, critical > 0);
    steps.push(step('quality', 'resolve_bugs', resolveBugs, bugsGain(policy, shares, measured, resolveBugs), message));
  }
};

const addOpsSteps: AddSteps = (steps, standing, { work }) => {
  const addItems = measuresAt(work, PLACE.ops);
  const tickItems = raisesAt(work, PLACE.ops);
  const { facts, policy, shares, measured } = standing;
  if (addItems > 0) steps.push(step('ops', 'add_checklist_items', addItems, null, say.addItemsMessage()));
  if (tickItems === 0) return;
  const gain = gainOfOne(policy.weights.ops, shares[PLACE.ops], tickItems, measured);
  steps.push(step('ops', 'tick_checklist_items', tickItems, gain, say.tickItemsMessage(tickItems, facts.ops)));
};

const addTestSteps: AddSteps = (steps, standing, { work }) => {
  const recordRuns = measuresAt(work, PLACE.verification);
  const fixTests = raisesAt(work, PLACE.verification);
  const { facts, policy, shares, measured } = standing;
  if (recordRuns > 0)
    steps.push(step('verification', 'record_test_run', recordRuns, null, say.recordRunMessage(facts, policy)));
  if (fixTests > 0) {
    const gain = gainOfOne(policy.weights.verification, shares[PLACE.verification], fixTests, measured);
    const message = say.fixTestsMessage(fixTests, shares[PLACE.verification].whole);
    steps.push(step('verification', 'fix_tests', fixTests, gain, message));
  }
  steps.push(...suiteSteps(facts, policy));
};

const addDeploymentStep: AddSteps = (steps, standing, least) => {
  const { facts, policy, shares, measured } = standing;
  const { deployments } = least.work;
  const stuck = least.stabilityStuck || (least.scoreStuck && policy.weights.stability > 0);
  if (!stuck && deployments === 0) return;
  const gain = stuck ? null : deploymentsGain(facts, policy, shares, measured, deployments);
  const message = say.deploymentsMessage(facts, policy, least);
  steps.push(step('stability', 'deploy_successfully', stuck ? null : deployments, gain, message));
};

const ADD_STEPS: { readonly [axis in Exclude<Axis, 'scope' | 'quality'>]: AddSteps } = Object.freeze({
  ops: addOpsSteps,
  verification: addTestSteps,
  stability: addDeploymentStep,
});

const IN_ORDER: readonly AddSteps[] = AXES.flatMap((axis) =>
  axis === 'scope' || axis === 'quality' ? [] : [ADD_STEPS[axis]],
);

/** The least work, and whether it is for a release whose issues are all imported first. */
interface Awaited {
  readonly least: LeastWork;
  /** The axis the import is awaited for; null: it need not be. */
  readonly awaitFor: 'scope' | 'quality' | null;
}

const leastAwaited = ({ facts, policy, shares }: Standing, waivers: readonly Waiver[], asOf: Instant): Awaited => {
  const leastOf = (some: ReleaseFacts, standing: Shares): LeastWork =>
    leastWork(some, policy, standing, gateDemands(policy, standing, waivers, asOf));
  if (facts.issuesPending === true) {
    // An axis that lacks an issue to be measured needs no step: the import brings issues.
    const { work, issuesFor } = leastOf(beforeImport(facts), shares);
    const imported = afterImport(facts);
    const after = measureAxes(imported, policy, asOf);
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
  const standing: Standing = { facts, policy, shares, measured };
  const { least, awaitFor } = leastAwaited(standing, waivers, asOf);
  const steps: NextStep[] = [];
  if (awaitFor !== null) steps.push(step(awaitFor, 'await_import', null, null, say.awaitImportMessage()));
  addIssueSteps(steps, standing, least.work, least.issuesFor);
  for (const addSteps of IN_ORDER) addSteps(steps, standing, least);
  return steps;
};
