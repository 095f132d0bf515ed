import {
  type AxisReport,
  type AxisReportContext,
  type AxisReportView,
  axisReportFaults,
  axisReportView,
  ownAxisNamed,
  releaseOfReport,
  type SentAxisReport,
} from '../axis-report.js';
import { invalid, notFound } from '../errors.js';
import type { Page, PageRequest } from '../page.js';
import { externalIdConflict } from '../pipeline-report.js';
import type { Ports, Stores } from '../ports.js';
import type { Project } from '../project.js';
import type { Release } from '../release/release.js';
import { importedNameFaults } from '../repository/link.js';
import { activeReleaseAt } from '../test-run.js';
import { type ChangePorts, findProject, type InProject, type ReleasePath, runProjectChange } from './change.js';

type Reading = Pick<Stores, 'policies' | 'axisReports'>;

const contextOf = async (
  { policies, axisReports }: Reading,
  project: Project,
  release: Release,
  axis: string,
): Promise<AxisReportContext> => {
  const [policy, latest] = [await policies.current(project.id), await axisReports.latest(release.id, axis)];
  if (policy === undefined) throw notFound('project');
  return { project, release, policy: policy.policy, latest };
};

interface RecordAxisReport extends InProject {
  /** The name of an own axis. */
  readonly axis: string;
  /** null: the release that was active when it was measured, or the active one. */
  readonly releaseId: string | null;
  readonly report: SentAxisReport;
}

/**
 * Stores a report of an axis of the project's own. One with a known external id and the same content is answered as it was
 * stored.
 * @throws DomainError `not-found`, `forbidden`, `invalid` (also for a name that the policy does not have), `no-active-release`,
 * `release-closed`, `external-id-conflict`
 */
export function recordAxisReport(ports: ChangePorts, command: RecordAxisReport): Promise<AxisReportView> {
  return runProjectChange(ports, command, async ({ stores, project, now, newId, by }) => {
    const { axis, releaseId, report } = command;
    const known = report.external && (await stores.axisReports.byExternalId(project.id, axis, report.external.id));
    if (known) return knownReportView(stores, project, known, command, now);
    const policy = await stores.policies.current(project.id);
    if (policy === undefined) throw notFound('project');
    const faults = [...axisReportFaults(policy.policy, axis, report, now), ...importedNameFaults(report.external)];
    if (faults.length > 0) throw invalid(faults);
    const at = activeReleaseAt({ releaseId, ranAt: report.measuredAt }, now);
    const [target] = await stores.testRuns.targets([{ projectId: project.id, releaseId, suite: null, at }]);
    const release = releaseOfReport(releaseId !== null, target?.release ?? null);
    const stored: AxisReport = {
      ...report,
      id: newId(),
      projectId: project.id,
      releaseId: release.id,
      axis,
      // A clock that runs ahead must not keep a report on top of later ones.
      measuredAt: Math.min(report.measuredAt ?? now, now),
      recordedAt: now,
      recordedBy: by.principal.name,
    };
    await stores.axisReports.add(stored);
    return axisReportView(stored, await contextOf(stores, project, release, axis), now);
  });
}

const knownReportView = async (
  stores: Reading & Pick<Stores, 'releases'>,
  project: Project,
  known: AxisReport,
  { releaseId, report }: Pick<RecordAxisReport, 'releaseId' | 'report'>,
  now: number,
): Promise<AxisReportView> => {
  // The fingerprint is of the body: a release named by the path is no part of it.
  const isElsewhere = releaseId !== null && releaseId !== known.releaseId;
  if (isElsewhere || known.external?.fingerprint !== report.external?.fingerprint) throw externalIdConflict(known.id);
  const release = await stores.releases.byId(known.releaseId);
  if (release === undefined) throw notFound('release');
  return axisReportView(known, await contextOf(stores, project, release, known.axis), now);
};

interface ListAxisReports extends ReleasePath {
  readonly axis: string;
  readonly page: PageRequest;
}

/**
 * Reports of one own axis in a release, latest first, each with whether it counts.
 * @throws DomainError `not-found`, also for an axis that neither the policy nor a report has
 */
export async function listAxisReports(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { axis, page, ...path }: ListAxisReports,
): Promise<Page<AxisReportView>> {
  const project = await findProject(stores, path);
  const release = await stores.releases.byId(path.releaseId);
  if (release?.projectId !== project.id) throw notFound('release');
  const { rows, next } = await stores.axisReports.page(release.id, axis, page);
  const context = await contextOf(stores, project, release, axis);
  if (context.latest === undefined && rows.length === 0 && ownAxisNamed(context.policy, axis) === undefined)
    throw notFound('axis');
  const now = clock();
  return { rows: rows.map((report) => axisReportView(report, context, now)), next };
}
