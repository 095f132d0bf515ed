import type {
  AxisReportRow,
  AxisRow,
  ChecklistRow,
  DeploymentRow,
  IssueRow,
  TestRunRow,
} from '@shipworthy/client/contract';
import {
  type AxisReportView,
  type ChecklistItem,
  type ChecklistItemCountStatus,
  type CountStatus,
  checklistItemCountStatus,
  type DeploymentView,
  type Issue,
  issueCountStatus,
  type PageKey,
  type PageRequest,
  type Principal,
  receiptCountStatus,
  type TestRunView,
  testRunCountStatus,
  windowOf,
} from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import type { Axis, CountedFrom } from '@shipworthy/domain/readiness';
import { countedRecords, judgedBy, listAxisReports } from '@shipworthy/domain/use-cases';
import type { OperationOf, RouteContext, RouteHandler, Routes } from '../http/route.js';
import { AXIS_REPORT_TABLE, wireAxisReport, wireReportCounting } from './axis-reports.js';
import { wireChecklistItem } from './checklists.js';
import { exportList, type TableColumns } from './csv.js';
import { DEPLOYMENT_TABLE, wireDeployment } from './deployments.js';
import { ISSUE_TABLE, wireIssue } from './issues.js';
import { pageReply } from './replies.js';
import { deploymentViews, testRunViews } from './reports.js';
import { TEST_RUN_TABLE, wireTestRun } from './test-runs.js';

/**
 * `reason` only on rows that do not count. `no_release_window` does not occur: a deployment outside every window is
 * listed under no axis.
 */
const counted = ({ counts, reason }: CountStatus) =>
  reason === null || reason === 'no_release_window' ? { counts } : { counts, reason };

export const wireIssueRow = (issue: Issue, countStatus: CountStatus): IssueRow => ({
  ...wireIssue(issue),
  ...counted(countStatus),
});

export const wireChecklistRow = (item: ChecklistItem, { counts, reason }: ChecklistItemCountStatus): ChecklistRow => {
  const { reason: mark_reason, ...wired } = wireChecklistItem(item);
  return { ...wired, mark_reason, counts, ...(reason === null ? {} : { reason }) };
};

const wireTestRunRow = (view: TestRunView, countStatus: CountStatus): TestRunRow => ({
  ...wireTestRun(view),
  ...counted(countStatus),
});

const wireDeploymentRow = (view: DeploymentView, countStatus: CountStatus): DeploymentRow => ({
  ...wireDeployment(view),
  ...counted(countStatus),
});

interface RowsRequest {
  readonly ports: Ports;
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
  readonly releaseId: string;
  readonly page: PageRequest;
}
interface Rows<Row extends AxisRow> {
  readonly rows: readonly Row[];
  readonly next: PageKey | null;
}

const NOTHING = { rows: [], next: null } as const;

const issues =
  (only: { readonly type?: 'bug' }) =>
  async ({ ports, projectId, releaseId, page }: RowsRequest): Promise<Rows<IssueRow>> => {
    const { rows, next } = await ports.stores.issues.page({ projectId, releaseId, ...only }, page);
    return { rows: await ports.slices.map(rows, (issue) => wireIssueRow(issue, issueCountStatus(issue))), next };
  };

/**
 * How an item counts for an axis of items with evidence: as for ops, but without the reason of a mark that awaits an
 * owner, which makes no difference here.
 */
const evidenceCountStatus = (item: ChecklistItem): ChecklistItemCountStatus => {
  const { counts, reason } = checklistItemCountStatus(item);
  return { counts, reason: counts ? null : reason };
};

const checklistItems =
  (countStatus: (item: ChecklistItem) => ChecklistItemCountStatus) =>
  async ({ ports, releaseId, page }: RowsRequest): Promise<Rows<ChecklistRow>> => {
    const items = await ports.stores.checklists.ofRelease(releaseId);
    const [last] = page.after ?? [];
    const rest = last === undefined ? items : items.filter(({ position }) => position > Number(last));
    const rows = rest.slice(0, page.limit);
    const end = rows.at(-1);
    const next = rows.length < rest.length && end !== undefined ? [end.position] : null;
    return { rows: await ports.slices.map(rows, (item) => wireChecklistRow(item, countStatus(item))), next };
  };

const testRuns = async ({ ports, projectId, releaseId, page }: RowsRequest): Promise<Rows<TestRunRow>> => {
  const { stores } = ports;
  const [{ rows, next }, { policy, at }] = await Promise.all([
    stores.testRuns.page({ projectId, releaseId }, page),
    judgedBy(ports, { projectId, releaseId }),
  ]);
  const views = await testRunViews(stores, rows, { verification: policy.verification });
  const row = (view: TestRunView) => wireTestRunRow(view, testRunCountStatus(view, policy, at));
  return { rows: await ports.slices.map(views, row), next };
};

const deployments = async ({ ports, projectId, releaseId, page }: RowsRequest): Promise<Rows<DeploymentRow>> => {
  const { stores } = ports;
  const release = await stores.releases.byId(releaseId);
  const started = release === undefined ? null : windowOf(release);
  if (started === null) return NOTHING;
  const { rows, next } = await stores.deployments.page({ projectId, started }, page);
  const { policy } = await judgedBy(ports, { projectId, releaseId });
  const views = await deploymentViews(stores, rows, { id: releaseId, environments: policy.environments });
  const row = (view: DeploymentView) => wireDeploymentRow(view, receiptCountStatus(view.attribution, releaseId));
  return { rows: await ports.slices.map(views, row), next };
};

const reports =
  (axis: string) =>
  async ({ ports, principal, teamId, projectId, releaseId, page }: RowsRequest): Promise<Rows<AxisReportRow>> => {
    const { rows, next } = await listAxisReports(ports, { principal, teamId, projectId, releaseId, axis, page });
    const row = (view: AxisReportView) => ({ ...wireAxisReport(view), ...wireReportCounting(view.reason) });
    return { rows: await ports.slices.map(rows, row), next };
  };

const CHECKLIST_TABLE: TableColumns<ChecklistRow> = {
  title: ({ title }) => title,
  key: ({ key }) => key,
  origin: ({ origin }) => origin,
  state: ({ state }) => state,
  mark_reason: ({ mark_reason }) => mark_reason,
  marked_by: ({ marked_by }) => marked_by,
  marked_at: ({ marked_at }) => marked_at,
  confirmed_by: ({ confirmed_by }) => confirmed_by,
  confirmed_at: ({ confirmed_at }) => confirmed_at,
  evidence: ({ evidence }) => (evidence.length === 0 ? null : evidence.map(({ url }) => url).join(' ')),
  updated_by: ({ updated_by }) => updated_by,
  updated_at: ({ updated_at }) => updated_at,
  id: ({ id }) => id,
};

/** The first columns: whether the record counts in the axis. `reason` replaces the record's own column of that name. */
const COUNTED: TableColumns<AxisRow> = {
  counts: ({ counts }) => (counts ? 'yes' : 'no'),
  reason: ({ reason }) => reason ?? null,
};

/** The rows of an axis, as a list and as a table. */
const rowsOf = <Row extends AxisRow>(
  read: (request: RowsRequest) => Promise<Rows<Row>>,
  columns: TableColumns<Row>,
) => ({
  read: (request: RowsRequest): Promise<Rows<AxisRow>> => read(request),
  exportAs: (name: string, request: Omit<RowsRequest, 'page'>) =>
    exportList({
      name,
      columns: { ...COUNTED, ...columns, ...COUNTED },
      slices: request.ports.slices,
      readPage: (page) => read({ ...request, page }),
    }),
});

const OF_FIVE = {
  scope: rowsOf(issues({}), ISSUE_TABLE),
  quality: rowsOf(issues({ type: 'bug' }), ISSUE_TABLE),
  ops: rowsOf(checklistItems(checklistItemCountStatus), CHECKLIST_TABLE),
  verification: rowsOf(testRuns, TEST_RUN_TABLE),
  stability: rowsOf(deployments, DEPLOYMENT_TABLE),
} as const satisfies { readonly [axis in Axis]: unknown };

const isOfFive = (axis: string): axis is Axis => Object.hasOwn(OF_FIVE, axis);

/** The records that the service counts for own axes. */
const COUNTED_ROWS = {
  checklist_evidence: rowsOf(checklistItems(evidenceCountStatus), CHECKLIST_TABLE),
} as const satisfies { readonly [from in CountedFrom]: unknown };

/** Returns the rows of one of the five axes; of an own axis, the records the service counts for it, or its reports. */
const rowsUnder = async (axis: string, { ports, ...request }: Omit<RowsRequest, 'page'>) => {
  if (isOfFive(axis)) return OF_FIVE[axis];
  const from = await countedRecords(ports, { ...request, axis });
  return from === null ? rowsOf(reports(axis), AXIS_REPORT_TABLE) : COUNTED_ROWS[from];
};

const requestFor = ({
  ports,
  principal,
  place: { teamId, projectId, releaseId },
}: Pick<RouteContext<OperationOf<'exportAxisRows'>>, 'ports' | 'principal' | 'place'>) => ({
  ports,
  principal,
  teamId,
  projectId,
  releaseId,
});

const list: RouteHandler<OperationOf<'listAxisRows'>> = async ({ path: { axis } }, context) => {
  const { page, sealCursor } = context;
  const request = requestFor(context);
  const { rows, next } = await (await rowsUnder(axis, request)).read({ ...request, page });
  return pageReply(rows, sealCursor(next));
};

const exportTable: RouteHandler<OperationOf<'exportAxisRows'>> = async ({ path: { axis } }, context) => {
  const request = requestFor(context);
  return (await rowsUnder(axis, request)).exportAs(`${axis}-rows`, request);
};

/** The records an axis is made of. */
export const axisRowRoutes = {
  listAxisRows: list,
  exportAxisRows: exportTable,
} as const satisfies Partial<Routes>;
