import { authorOf, type Principal, requireRole, seesProject, type TeamCaller } from '../access/principal.js';
import { type DeploymentView, deploymentView, withContributions, withoutDeployment } from '../attribution.js';
import {
  type Deployment,
  type DeploymentReport,
  deploymentFaults,
  deploymentFrom,
  durationFaults,
  type FinalStatus,
  finish,
  mayBeNewFaults,
  requireEnvironment,
} from '../deployment.js';
import { DomainError, invalid, notFound } from '../errors.js';
import {
  type ImportOutcome,
  isLate,
  logReceipt,
  prepareEntry,
  type RepeatableReport,
  type Reported,
  recordedOrThrow,
  remembered,
  storePrepared,
} from '../pipeline-report.js';
import type { Lookups, Ports } from '../ports.js';
import type { NamedProject, ProjectAt } from '../project.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { importedNameFaults } from '../repository/link.js';
import type { Instant } from '../time.js';
import { findNamedProject, isNamedAtHome, NO_NAMES, namesOnce, readNames, requireNamedAmong } from './project.js';
import { judgedInputs } from './readiness.js';
import { countUncountedOfBatch } from './receipts.js';
import { replayOrRefuse } from './test-run.js';

/**
 * A deployment in sight with its project as it was at the deployment's start: two coalesced reads.
 * @throws DomainError `not-found`
 */
const findDeployment = async (
  lookups: Pick<Lookups, 'deployment' | 'projectAt'>,
  principal: Principal,
  deploymentId: string,
): Promise<{ readonly deployment: Deployment; readonly at: ProjectAt }> => {
  const deployment = await lookups.deployment(deploymentId);
  const at = deployment && (await lookups.projectAt({ projectId: deployment.projectId, at: deployment.startedAt }));
  if (deployment === undefined || at === undefined || !seesProject(principal, at.project)) throw notFound('deployment');
  return { deployment, at };
};

/** A deployment in sight with its receipt, as they are now: two coalesced reads. @throws DomainError `not-found` */
const viewOf = async (
  lookups: Pick<Lookups, 'deployment' | 'projectAt'>,
  principal: Principal,
  deploymentId: string,
): Promise<DeploymentView> => {
  const { deployment, at } = await findDeployment(lookups, principal, deploymentId);
  return deploymentView(deployment, at);
};

interface RecordDeployment extends TeamCaller {
  readonly report: DeploymentReport;
  readonly remember: RepeatableReport<DeploymentView> | null;
}

type RecordingPorts = Pick<Ports, 'stores' | 'reports' | 'lookups' | 'receipts' | 'clock' | 'newId'>;

/**
 * The refusals for the name of a project or environment: they may come after the same report was stored, since projects are
 * renamed and policies change.
 */
const CHANGING_REFUSALS: readonly string[] = ['unknown-app-name', 'app-name-mismatch', 'ambiguous-app-name', 'invalid'];

/**
 * Returns why a report is refused unless it was stored before, by its key or its external id; null: it may be new.
 * @throws DomainError `invalid` with every fault, where it cannot have been stored before
 */
const refusalIfNewOf = (report: DeploymentReport, now: Instant, isRepeatable: boolean): DomainError | null => {
  const faults = [...deploymentFaults(report, now), ...importedNameFaults(report.external)];
  if (faults.length === 0) return null;
  if (isRepeatable && mayBeNewFaults(report, faults)) return invalid(faults);
  throw invalid(faults);
};

/**
 * Stores a reported deployment: one coalesced read, one coalesced write. A request whose key has an answer is answered by it,
 * also where it would be refused by now for its names, or as its end lies before the clock by now.
 * @throws DomainError `invalid`, `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `forbidden`, `external-id-conflict`
 */
export async function recordDeployment(
  { stores, reports, lookups, receipts, clock, newId }: RecordingPorts,
  { principal, needs, report, remember }: RecordDeployment,
): Promise<Reported<DeploymentView>> {
  const now = clock();
  const refusalIfNew = refusalIfNewOf(report, now, remember !== null || report.external !== null);
  const named = await lookups.namedProject({ name: report.appName, at: report.startedAt ?? now });
  const names = namesOnce(stores, principal);
  let match: NamedProject;
  try {
    match = await findNamedProject({ principal, needs }, report, named, names);
    requireEnvironment(report, match.environments);
  } catch (refusal) {
    const mayRepeat = refusal instanceof DomainError && CHANGING_REFUSALS.includes(refusal.code);
    if (remember === null || !mayRepeat || !(await names()).isKnown(report)) throw refusal;
    return replayOrRefuse(stores, remember.request, refusal);
  }
  const deployment = deploymentFrom(report, match.project.id, newId(), now);
  const view = deploymentView(deployment, match);
  const releaseIds = view.attribution.releases.map(({ id }) => id);
  const answer = remembered(remember, view);
  const by = authorOf(principal);
  const replyIfLate = remember === null ? undefined : (stored: DeploymentView) => remember.reply(stored);
  const receipt = { isArrivalTime: true, releaseIds, remember: answer, replyIfLate };
  const mustBeKnown = refusalIfNew !== null;
  const outcome = await reports.submit({ kind: 'deployment', by, deployment, ...receipt, mustBeKnown });
  if (outcome.result === 'not_found' && refusalIfNew !== null) throw refusalIfNew;
  // The project was removed in between: it is answered as if it had been gone before.
  if (outcome.result === 'not_found') throw (await names()).unmatched(report);
  const done = recordedOrThrow(outcome);
  if (done.outcome === 'created') {
    const known = 'view' in outcome ? outcome.view : undefined;
    const stored = isLate(outcome) ? (known ?? (await viewOf(lookups, principal, deployment.id))) : view;
    logReceipt(receipts, 'deployment', stored.attribution);
    return { outcome: 'created', view: stored };
  }
  if (done.outcome !== 'duplicate') return done;
  return { outcome: 'duplicate', view: await viewOf(lookups, principal, done.id) };
}

interface FinishDeployment extends TeamCaller {
  readonly deploymentId: string;
  readonly status: FinalStatus;
  /** Finite, at least 0; null: not given. */
  readonly durationSeconds: number | null;
}

/**
 * Ends a started deployment; of two at once exactly one wins. Repeating the same status, with the same duration or none, changes nothing.
 * @throws DomainError `not-found`, `forbidden`, `invalid`, `deployment-finished`
 */
export async function finishDeployment(
  { reports, lookups, clock }: Pick<Ports, 'reports' | 'lookups' | 'clock'>,
  { principal, needs, deploymentId, status, durationSeconds }: FinishDeployment,
): Promise<DeploymentView> {
  const { deployment, at } = await findDeployment(lookups, principal, deploymentId);
  requireRole(principal, at.project.teamId, needs);
  const faults = durationFaults(durationSeconds);
  if (faults.length > 0) throw invalid(faults);
  const now = clock();
  const end = { status, finishedAt: Math.max(now, deployment.startedAt), durationSeconds };
  const outcome = await reports.submit({
    ...{ kind: 'finish', by: authorOf(principal), deploymentId, ...end },
    ...{ at: now, isArrivalTime: true },
  });
  if (outcome.result === 'failed') throw outcome.error;
  if (outcome.result === 'not_found') throw notFound('deployment');
  if (outcome.result !== 'finished' && outcome.result !== 'already_final')
    throw new Error(`A finish cannot be answered with ${outcome.result}.`);
  if (isLate(outcome)) return viewOf(lookups, principal, deploymentId);
  return deploymentView(finish(outcome.deployment, end), at);
}

/** Adds to the view of a stored deployment what it does to the scores, as of now: one coalesced read. */
export async function addDeploymentContribution(
  { lookups, clock }: Pick<Ports, 'lookups' | 'clock'>,
  { deployment, attribution }: DeploymentView,
): Promise<DeploymentView> {
  const counted = attribution.releases.filter(({ counts }) => counts);
  const allInputs = await Promise.all(counted.map(({ id }) => judgedInputs(lookups, id)));
  const without = (facts: ReleaseFacts) => withoutDeployment(facts, deployment);
  return { deployment, attribution: withContributions(attribution, allInputs, without, clock()) };
}

interface ReadDeployment {
  readonly principal: Principal;
  readonly deploymentId: string;
}

/** One deployment with its receipt and what it does to the scores: three coalesced reads. @throws DomainError `not-found` */
export async function readDeployment(
  ports: Pick<Ports, 'lookups' | 'clock'>,
  { principal, deploymentId }: ReadDeployment,
): Promise<DeploymentView> {
  const { deployment, at } = await findDeployment(ports.lookups, principal, deploymentId);
  return addDeploymentContribution(ports, deploymentView(deployment, at));
}

interface ImportDeployments extends TeamCaller {
  readonly records: readonly DeploymentReport[];
}

/**
 * Stores past deployments; those without faults are stored even when others are refused. Outcomes are in input order. A
 * constant number of queries for any number of records.
 * @throws DomainError `unavailable` when nothing could be stored
 */
export async function importDeployments(
  { stores, receipts, clock, newId }: Pick<Ports, 'stores' | 'receipts' | 'clock' | 'newId'>,
  { principal, needs, records }: ImportDeployments,
): Promise<readonly ImportOutcome[]> {
  const now = clock();
  const by = authorOf(principal);
  const appNames = [...new Set(records.map((record) => record.appName))];
  // Which windows hold them does not matter here: the outcomes carry no receipts.
  const named = await stores.projects.named(appNames.map((name) => ({ name, at: now })));
  const byName = new Map(appNames.map((name, index) => [name, named[index] ?? []]));
  const namedAs = ({ appName }: DeploymentReport) => byName.get(appName) ?? [];
  const areKnown = records.every((report) => isNamedAtHome(principal, report, namedAs(report)));
  const names = areKnown ? NO_NAMES : await readNames(stores, principal);
  const prepared = records.map((report) =>
    prepareEntry(() => {
      const refusalIfNew = refusalIfNewOf(report, now, report.external !== null);
      const match = requireNamedAmong({ principal, needs }, report, namedAs(report), names);
      requireEnvironment(report, match.environments);
      const deployment = deploymentFrom(report, match.project.id, newId(), now);
      const how = { remember: null, isArrivalTime: true, mustBeKnown: refusalIfNew !== null };
      return { id: deployment.id, entry: { kind: 'deployment', by, deployment, ...how }, refusalIfNew };
    }),
  );
  const outcomes = await storePrepared(stores.reports, prepared);
  await countUncountedOfBatch({ stores, receipts }, prepared, outcomes);
  return outcomes;
}
