import type { AxisRow, ChecklistRow, DeploymentRow, IssueRow, TestRunRow } from '@shipworthy/client/contract';
import {
  type ChecklistItem,
  type Counting,
  type DeploymentView,
  type Issue,
  type ItemCounting,
  issueCounting,
  itemCounting,
  notFound,
  type PageKey,
  type PageRequest,
  type Principal,
  receiptCounting,
  type TestRunView,
  testRunCounting,
  windowOf,
} from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import type { Axis } from '@shipworthy/domain/readiness';
import { listAxisReports } from '@shipworthy/domain/use-cases';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { wireAxisReport, wireReportCounting } from './axis-reports.js';
import { wireChecklistItem } from './checklists.js';
import { wireDeployment } from './deployments.js';
import { wireIssue } from './issues.js';
import { pageReply } from './replies.js';
import { deploymentViews, testRunViews } from './reports.js';
import { wireTestRun } from './test-runs.js';

/**
 * `reason` only on rows that do not count; a deployment outside every window is listed under no axis, so that reason does not
 * occur.
 */
const counted = ({ counts, reason }: Counting) =>
  reason === null || reason === 'no_release_window' ? { counts } : { counts, reason };

export const wireIssueRow = (issue: Issue, counting: Counting): IssueRow => ({
  ...wireIssue(issue),
  ...counted(counting),
});

export const wireChecklistRow = (item: ChecklistItem, { counts, reason }: ItemCounting): ChecklistRow => {
  const { reason: mark_reason, ...wired } = wireChecklistItem(item);
  return { ...wired, mark_reason, counts, ...(reason === null ? {} : { reason }) };
};

const wireTestRunRow = (view: TestRunView, counting: Counting): TestRunRow => ({
  ...wireTestRun(view),
  ...counted(counting),
});

const wireDeploymentRow = (view: DeploymentView, counting: Counting): DeploymentRow => ({
  ...wireDeployment(view),
  ...counted(counting),
});

interface Asked {
  readonly ports: Ports;
  readonly projectId: string;
  readonly releaseId: string;
  readonly page: PageRequest;
}
interface Rows {
  readonly rows: readonly AxisRow[];
  readonly next: PageKey | null;
}

const NOTHING: Rows = { rows: [], next: null };

const issues =
  (only: { readonly type?: 'bug' }) =>
  async ({ ports, projectId, releaseId, page }: Asked): Promise<Rows> => {
    const { rows, next } = await ports.stores.issues.page({ projectId, releaseId, ...only }, page);
    return { rows: rows.map((issue) => wireIssueRow(issue, issueCounting(issue))), next };
  };

const checklistItems = async ({ ports, releaseId, page }: Asked): Promise<Rows> => {
  const items = await ports.stores.checklists.ofRelease(releaseId);
  const [last] = page.after ?? [];
  const rest = last === undefined ? items : items.filter(({ position }) => position > Number(last));
  const rows = rest.slice(0, page.limit);
  const end = rows.at(-1);
  const next = rows.length < rest.length && end !== undefined ? [end.position] : null;
  return { rows: rows.map((item) => wireChecklistRow(item, itemCounting(item))), next };
};

const testRuns = async ({ ports, projectId, releaseId, page }: Asked): Promise<Rows> => {
  const { stores, clock } = ports;
  const [{ rows, next }, policy] = await Promise.all([
    stores.testRuns.page({ projectId, releaseId }, page),
    stores.policies.current(projectId),
  ]);
  if (policy === undefined) throw notFound('project');
  const now = clock();
  const views = await testRunViews(stores, rows);
  return { rows: views.map((view) => wireTestRunRow(view, testRunCounting(view, policy.policy, now))), next };
};

const deployments = async ({ ports: { stores }, projectId, releaseId, page }: Asked): Promise<Rows> => {
  const release = await stores.releases.byId(releaseId);
  const started = release === undefined ? null : windowOf(release);
  if (started === null) return NOTHING;
  const { rows, next } = await stores.deployments.page({ projectId, started }, page);
  const views = await deploymentViews(stores, rows);
  return {
    rows: views.map((view) => wireDeploymentRow(view, receiptCounting(view.attribution, releaseId))),
    next,
  };
};

const reports = async (
  axis: string,
  { ports, projectId, releaseId, page }: Asked,
  whose: { readonly principal: Principal; readonly teamId: string },
): Promise<Rows> => {
  const { rows, next } = await listAxisReports(ports, { ...whose, projectId, releaseId, axis, page });
  return { rows: rows.map((view) => ({ ...wireAxisReport(view), ...wireReportCounting(view.reason) })), next };
};

const ROWS: { readonly [axis in Axis]: (asked: Asked) => Promise<Rows> } = {
  scope: issues({}),
  quality: issues({ type: 'bug' }),
  ops: checklistItems,
  verification: testRuns,
  stability: deployments,
};

const isOfFive = (axis: string): axis is Axis => Object.hasOwn(ROWS, axis);

const list: RouteHandler<OperationOf<'listAxisRows'>> = async ({ path: { axis } }, context) => {
  const { ports, principal, place, page, sealCursor } = context;
  const { teamId, projectId, releaseId } = place;
  const asked = { ports, projectId, releaseId, page };
  const { rows, next } = await (isOfFive(axis) ? ROWS[axis](asked) : reports(axis, asked, { principal, teamId }));
  return pageReply(rows, sealCursor(next));
};

/** The records an axis is made of. */
export const axisRowRoutes = { listAxisRows: list } as const satisfies Partial<Routes>;
