import type { Instant } from '../instant.js';
import type { Axis } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import { gateDemands } from './gate-demands.js';
import { type LeastWork, leastWork } from './least-work.js';
import type { Policy } from './policy.js';
import type { NextStep, StepAction } from './readiness-report.js';
import type { Shares } from './share.js';
import { stepGain } from './step-gain.js';
import * as say from './step-messages.js';
import type { Waiver } from './waiver.js';
import type { Work } from './work.js';

/** Collects the steps of one release; a target of 0 is no step. */
class Steps {
  readonly all: NextStep[] = [];

  constructor(
    private readonly facts: ReleaseFacts,
    private readonly policy: Policy,
    private readonly shares: Shares,
    private readonly measured: number,
  ) {}

  add(axis: Axis, action: StepAction, target: keyof Work, count: number, message: string): void {
    const gain = stepGain(this.facts, this.policy, this.shares, target, count, this.measured);
    this.all.push({ axis, action, count, gain, message });
  }

  addStuck(axis: Axis, action: StepAction, message: string): void {
    this.all.push({ axis, action, count: null, gain: null, message });
  }
}

const addIssueSteps = (steps: Steps, work: Work, issuesFor: 'scope' | 'quality'): void => {
  const { addIssues, closeIssues, resolveBugs, resolveCriticalBugs: critical } = work;
  const bugsToo = resolveBugs > 0 || critical > 0;
  if (addIssues > 0) steps.add(issuesFor, 'add_issues', 'addIssues', addIssues, say.addIssuesMessage(issuesFor));
  if (closeIssues > 0)
    steps.add('scope', 'close_issues', 'closeIssues', closeIssues, say.closeIssuesMessage(closeIssues, bugsToo));
  if (critical > 0) {
    const message = say.resolveCriticalBugsMessage(critical);
    steps.add('quality', 'resolve_critical_bugs', 'resolveCriticalBugs', critical, message);
  }
  if (resolveBugs > 0) {
    const message = say.resolveBugsMessage(resolveBugs, critical > 0);
    steps.add('quality', 'resolve_bugs', 'resolveBugs', resolveBugs, message);
  }
};

const addOpsSteps = (steps: Steps, facts: ReleaseFacts, { addItems, tickItems }: Work): void => {
  if (addItems > 0) steps.add('ops', 'add_checklist_items', 'addItems', addItems, say.addItemsMessage());
  if (tickItems > 0)
    steps.add('ops', 'tick_checklist_items', 'tickItems', tickItems, say.tickItemsMessage(tickItems, facts));
};

const addTestSteps = (steps: Steps, facts: ReleaseFacts, policy: Policy, { recordRuns, fixTests }: Work): void => {
  const axis = 'verification';
  if (recordRuns > 0) steps.add(axis, 'record_test_run', 'recordRuns', recordRuns, say.recordRunMessage(facts, policy));
  if (fixTests > 0 && facts.verification !== null)
    steps.add(axis, 'fix_tests', 'fixTests', fixTests, say.fixTestsMessage(fixTests, facts.verification));
};

const addDeploymentStep = (steps: Steps, facts: ReleaseFacts, policy: Policy, least: LeastWork): void => {
  const { deployments } = least.work;
  const stuck = least.stabilityStuck || (least.scoreStuck && policy.weights.stability > 0);
  if (!stuck && deployments === 0) return;
  const message = say.deploymentsMessage(facts, policy, least);
  if (stuck) steps.addStuck('stability', 'deploy_successfully', message);
  else steps.add('stability', 'deploy_successfully', 'deployments', deployments, message);
};

/**
 * The least that yields `go`, at most one step per axis and action, in axis order; waived reasons stay waived. A step
 * is a target ("at least so many of these") and targets overlap, see {@link factsAfter}: doing all steps yields `go`,
 * and with any of them smaller by one it is not `go`. A step without a count tells that no number can clear its reason;
 * both statements then hold for all other reasons. `measured` is the weight of the measured axes.
 */
export const nextSteps = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  measured: number,
  waivers: readonly Waiver[],
  asOf: Instant,
): readonly NextStep[] => {
  const least = leastWork(facts, policy, shares, gateDemands(policy, waivers, asOf));
  const steps = new Steps(facts, policy, shares, measured);
  addIssueSteps(steps, least.work, least.issuesFor);
  addOpsSteps(steps, facts, least.work);
  addTestSteps(steps, facts, policy, least.work);
  addDeploymentStep(steps, facts, policy, least);
  return steps.all;
};
