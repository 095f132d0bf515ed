import { contribution } from '../attribution.js';
import {
  type AxisReport,
  type AxisReportFilter,
  type AxisReportView,
  axisReportFaults,
  axisReportView,
  isLaterReport,
  ownAxisNamed,
  releaseOfReport,
  type SentAxisReport,
  withoutAxisReport,
} from '../axis-report.js';
import { DomainError, invalid, notFound } from '../errors.js';
import type { Page, PageRequest } from '../page.js';
import { externalIdConflict, type ImportOutcome, type RepeatableReport, type Reported } from '../pipeline-report.js';
import type { Ports, Stores } from '../ports.js';
import type { Project } from '../project.js';
import type { CountedFrom } from '../readiness/counted-axis.js';
import type { Policy } from '../readiness/policy.js';
import type { Release } from '../release/release.js';
import { importedNameFaults } from '../repository/link.js';
import { activeReleaseAt, targetRelease } from '../test-run.js';
import type { Instant } from '../time.js';
import {
  type ChangeOfProject,
  type ChangePorts,
  findProject,
  type InProject,
  type ProjectPath,
  runProjectChange,
} from './change.js';
import { judgedBy, judgedInputs } from './readiness.js';
import { recordedAfterShipping, wholeSince } from './test-run.js';

type Reading = Pick<Stores, 'policies' | 'axisReports' | 'releases' | 'testRuns'>;

const policyOf = async ({ policies }: Pick<Stores, 'policies'>, project: Project): Promise<Policy> => {
  const version = await policies.current(project.id);
  if (version === undefined) throw notFound('project');
  return version.policy;
};

/** Reports of one project and axis with their receipts: three queries for any number, four where a release has shipped. */
const viewsOf = async (
  stores: Reading,
  project: Project,
  reports: readonly AxisReport[],
  now: Instant,
): Promise<readonly AxisReportView[]> => {
  const [first] = reports;
  if (first === undefined) return [];
  const releaseIds = [...new Set(reports.map(({ releaseId }) => releaseId))];
  const [policy, targets, latest] = [
    await policyOf(stores, project),
    await stores.testRuns.targets(releaseIds.map((releaseId) => ({ projectId: project.id, releaseId, suite: null }))),
    await stores.axisReports.latest(
      releaseIds.map((releaseId) => ({ projectId: project.id, releaseId, axis: first.axis, before: null })),
    ),
  ];
  const shippedIds = targets.flatMap((target) => (target?.release?.shippedAt ? [target.release.id] : []));
  const reportsOf = shippedIds.length === 0 ? [] : await stores.releases.frozenOf(shippedIds);
  const frozen = new Map(shippedIds.map((id, place) => [id, reportsOf[place]]));
  return reports.map((report) => {
    const place = releaseIds.indexOf(report.releaseId);
    const release = targets[place]?.release;
    if (!release) throw notFound('release');
    const asShipped = frozen.get(release.id);
    const context = { project, release, policy: asShipped?.policy.policy ?? policy, latest: latest[place] };
    return axisReportView(report, context, asShipped?.frozenAt ?? now);
  });
};

const viewOf = async (stores: Reading, project: Project, report: AxisReport, now: Instant): Promise<AxisReportView> => {
  const [view] = await viewsOf(stores, project, [report], now);
  if (view === undefined) throw notFound('report');
  return view;
};

/** The record to store for a report. */
const recordOf = (
  { project, now, newId, by }: Pick<ChangeOfProject, 'project' | 'now' | 'newId' | 'by'>,
  axis: string,
  report: SentAxisReport,
  release: Release,
): AxisReport => {
  const { part, whole, explanation, url, external } = report;
  return {
    ...{ part, whole, explanation, url, external },
    id: newId(),
    projectId: project.id,
    releaseId: release.id,
    axis,
    // A clock that runs ahead must not keep a report on top of later ones.
    measuredAt: Math.min(report.measuredAt ?? now, now),
    recordedAt: recordedAfterShipping(release, now),
    recordedBy: by.principal.name,
  };
};

/** @throws DomainError `invalid` with every fault */
const requireFaultless = (policy: Policy, axis: string, report: SentAxisReport, now: Instant): void => {
  const faults = [...axisReportFaults(policy, axis, report, now), ...importedNameFaults(report.external)];
  if (faults.length > 0) throw invalid(faults);
};

const targetOf = (projectId: string, releaseId: string | null, { measuredAt }: SentAxisReport, now: Instant) => {
  const at = activeReleaseAt({ releaseId, ranAt: measuredAt }, now);
  return { projectId, releaseId, suite: null, at };
};

/**
 * Demands that a report says the same as the one whose external id it has.
 * @throws DomainError `external-id-conflict`
 */
const requireSame = (known: AxisReport, releaseId: string | null, { external }: SentAxisReport): void => {
  // The fingerprint covers only what was measured, so the release is compared separately.
  const isElsewhere = releaseId !== null && releaseId !== known.releaseId;
  if (isElsewhere || known.external?.fingerprint !== external?.fingerprint) throw externalIdConflict(known.id);
};

interface RecordAxisReport extends InProject {
  /** The name of an own axis. */
  readonly axis: string;
  /** null: the release that was active when it was measured, or the active one. */
  readonly releaseId: string | null;
  readonly report: SentAxisReport;
  readonly remember: RepeatableReport<AxisReportView> | null;
}

/**
 * Stores a report of an axis of the project's own. A report with a known external id and the same content is answered
 * as it was stored.
 * @throws DomainError `not-found`, `forbidden`, `invalid` (also for a name that the policy does not have),
 * `no-active-release`, `release-closed`, `external-id-conflict`, `idempotency-key-in-use`
 */
export function recordAxisReport(ports: ChangePorts, command: RecordAxisReport): Promise<Reported<AxisReportView>> {
  const { remember } = command;
  return runProjectChange(ports, command, async (changing) => {
    const { idempotency } = changing.stores;
    if (remember === null) return store(changing, command);
    const found = await idempotency.take(remember.request);
    if (found.state === 'taken') return { outcome: 'replayed', reply: found.reply };
    if (found.state === 'reused') return { outcome: 'key_reused' };
    if (found.state === 'in_use')
      throw new DomainError('idempotency-key-in-use', 'The first request with this key is still running.');
    const stored = await store(changing, command);
    await idempotency.remember(remember.request, remember.reply(stored.view));
    return stored;
  });
}

const store = async (
  changing: ChangeOfProject,
  { axis, releaseId, report }: RecordAxisReport,
): Promise<{ readonly outcome: 'created' | 'duplicate'; readonly view: AxisReportView }> => {
  const { stores, project, now } = changing;
  const [known] = report.external ? await stores.axisReports.byExternalIds(project.id, axis, [report.external.id]) : [];
  if (known !== undefined) {
    requireSame(known, releaseId, report);
    return { outcome: 'duplicate', view: await viewOf(stores, project, known, now) };
  }
  requireFaultless(await policyOf(stores, project), axis, report, now);
  const [target] = await stores.testRuns.targets([targetOf(project.id, releaseId, report, now)]);
  const stored = recordOf(changing, axis, report, releaseOfReport(releaseId !== null, target?.release ?? null));
  await stores.axisReports.add([stored]);
  return { outcome: 'created', view: await viewOf(stores, project, stored, now) };
};

interface ImportAxisReports extends InProject {
  readonly axis: string;
  /** The reports; `releaseId` null: of the release that was active when it was measured, or of the active one. */
  readonly records: readonly (SentAxisReport & { readonly releaseId: string | null })[];
}

/**
 * Stores past reports of one own axis, those without faults even when others are refused. Outcomes are in input order.
 * A constant number of queries for any number of records.
 * @throws DomainError `not-found`, `forbidden`; `unavailable` when nothing could be stored
 */
export function importAxisReports(
  ports: ChangePorts,
  { axis, records, ...inProject }: ImportAxisReports,
): Promise<readonly ImportOutcome[]> {
  return runProjectChange(ports, inProject, async (changing) => {
    const { stores, project, now } = changing;
    const policy = await policyOf(stores, project);
    const ids = [...new Set(records.flatMap(({ external }) => external?.id ?? []))];
    const stored = await stores.axisReports.byExternalIds(project.id, axis, ids);
    const known = new Map(ids.map((id, place) => [id, stored[place]]));
    const targets = await stores.testRuns.targets(
      records.map((report) => targetOf(project.id, report.releaseId, report, now)),
    );
    const fresh: AxisReport[] = [];
    const outcomes = records.map((report, place): ImportOutcome => {
      const { external, releaseId } = report;
      try {
        const first = external === null ? undefined : known.get(external.id);
        if (first !== undefined) {
          requireSame(first, releaseId, report);
          return { result: 'duplicate', id: first.id };
        }
        requireFaultless(policy, axis, report, now);
        const record = recordOf(changing, axis, report, targetRelease(report, targets[place]?.release ?? null));
        fresh.push(record);
        if (external !== null) known.set(external.id, record);
        return { result: 'created', id: record.id };
      } catch (refusal) {
        if (refusal instanceof DomainError) return { result: 'refused', refusal };
        throw refusal;
      }
    });
    if (fresh.length > 0) await stores.axisReports.add(fresh);
    return outcomes;
  });
}

/**
 * Adds to the view of a stored report what it does to the score, as of now: four reads at most, none where it does not count.
 * Adds nothing where the report that it replaced may have been removed for its age.
 */
export async function addAxisReportContribution(
  { stores, lookups, clock }: Pick<Ports, 'stores' | 'lookups' | 'clock'>,
  view: AxisReportView,
): Promise<AxisReportView> {
  if (view.reason !== null) return view;
  const { report } = view;
  const { projectId, releaseId, axis } = report;
  const inputs = await judgedInputs(lookups, releaseId);
  if (inputs === undefined) return view;
  // Read after the facts: a report that no later one had replaced by then was counted in them.
  const [latest, before] = await stores.axisReports.latest([
    { projectId, releaseId, axis, before: null },
    { projectId, releaseId, axis, before: report },
  ]);
  if (latest !== undefined && isLaterReport(latest, report)) return { ...view, reason: 'superseded_by_newer_report' };
  const since = await wholeSince(stores, inputs.release, 'axisReports');
  if (since !== null && (before === undefined || before.measuredAt < since)) return view;
  return { ...view, contribution: contribution(inputs, withoutAxisReport(inputs.facts, report, before), clock()) };
}

interface ReadAxisReport extends ProjectPath {
  readonly axis: string;
  readonly reportId: string;
}

/** One report with its receipt and what it does to the score. @throws DomainError `not-found` */
export async function readAxisReport(
  ports: Pick<Ports, 'stores' | 'lookups' | 'clock'>,
  { axis, reportId, ...path }: ReadAxisReport,
): Promise<AxisReportView> {
  const { stores, clock } = ports;
  const project = await findProject(stores, path);
  const [report] = await stores.axisReports.byIds([reportId]);
  if (report?.projectId !== project.id || report.axis !== axis) throw notFound('report');
  return addAxisReportContribution(ports, await viewOf(stores, project, report, clock()));
}

/** What an own axis is counted from, by the policy its release is judged by; null: it is reported. @throws DomainError `not-found` */
export async function countedRecords(
  ports: Pick<Ports, 'stores' | 'lookups' | 'clock'>,
  { axis, ...whose }: { readonly projectId: string; readonly releaseId: string; readonly axis: string },
): Promise<CountedFrom | null> {
  const { policy } = await judgedBy(ports, whose);
  return ownAxisNamed(policy, axis)?.countedFrom ?? null;
}

interface ListAxisReports extends ProjectPath, Omit<AxisReportFilter, 'projectId'> {
  readonly page: PageRequest;
}

/**
 * Reports of one own axis in a project or in one release of it, latest first, each with whether it counts.
 * @throws DomainError `not-found`, also for an axis that neither the policy, nor that by which the release shipped, nor a
 * report has
 */
export async function listAxisReports(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { axis, releaseId, measured, page, ...path }: ListAxisReports,
): Promise<Page<AxisReportView>> {
  const project = await findProject(stores, path);
  if (releaseId !== undefined && (await stores.releases.byId(releaseId))?.projectId !== project.id)
    throw notFound('release');
  const filter = {
    ...{ projectId: project.id, axis },
    ...(releaseId === undefined ? {} : { releaseId }),
    ...(measured === undefined ? {} : { measured }),
  };
  const { rows, next } = await stores.axisReports.page(filter, page);
  if (rows.length === 0 && ownAxisNamed(await policyOf(stores, project), axis) === undefined) {
    const { rows: any } = await stores.axisReports.page({ projectId: project.id, axis }, { limit: 1, after: null });
    const [frozen] = releaseId === undefined ? [] : await stores.releases.frozenOf([releaseId]);
    const isFrozen = frozen !== undefined && ownAxisNamed(frozen.policy.policy, axis) !== undefined;
    if (any.length === 0 && !isFrozen) throw notFound('axis');
  }
  return { rows: await viewsOf(stores, project, rows, clock()), next };
}
