import type { BodyOf, Operations, Issue as WireIssue } from '@shipworthy/client/contract';
import { type Issue, type IssueOrder, type Page, type PageKey, type Release, searchTextOf } from '@shipworthy/domain';
import type { IssueFilter, Ports } from '@shipworthy/domain/ports';
import { type AddIssue, addIssue, type EditIssue, editIssue } from '@shipworthy/domain/use-cases';
import { withCurrent } from '../http/problem.js';
import type { OperationOf, RouteHandler, RouteInput, Routes } from '../http/route.js';
import { requireTogether, wireMoment } from '../wire.js';
import { exportList, type TableColumns } from './csv.js';
import { actorOf, pageReply } from './replies.js';

export const wireIssue = (issue: Issue): WireIssue => ({
  id: issue.id,
  project_id: issue.projectId,
  release_id: issue.releaseId,
  title: issue.title,
  type: issue.type,
  state: issue.state,
  severity: issue.severity,
  url: issue.url,
  external_id: issue.externalId,
  version: issue.version,
  created_at: wireMoment(issue.createdAt),
  updated_at: wireMoment(issue.updatedAt),
});

/** Reads the issue of a request; ids are stored in lower case. */
export const sentIssue = (sent: BodyOf<Operations['createIssue']>): AddIssue['issue'] => ({
  title: sent.title,
  type: sent.type,
  state: sent.state,
  severity: sent.severity ?? null,
  url: sent.url ?? null,
  releaseId: sent.release_id?.toLowerCase() ?? null,
});

/** The edit of an issue; members that were not sent are left out. */
export const issueEdit = ({ release_id, ...sent }: BodyOf<Operations['changeIssue']>): EditIssue['edit'] => ({
  ...sent,
  ...(release_id === undefined ? {} : { releaseId: release_id?.toLowerCase() ?? null }),
});

type ListQuery = RouteInput<OperationOf<'exportIssues'>>['query'];

const filterOf = (projectId: string, { q, release_id, state, type, severity }: ListQuery): IssueFilter => ({
  projectId,
  ...(q === undefined ? {} : { text: searchTextOf(q) }),
  ...(release_id === undefined ? {} : { releaseId: release_id.toLowerCase() }),
  ...(state === undefined ? {} : { state }),
  ...(type === undefined ? {} : { type }),
  ...(severity === undefined ? {} : { severity }),
});

/** @throws DomainError `invalid` for an order without a sort */
const orderOf = (query: ListQuery): IssueOrder => {
  requireTogether(query, [['order', 'sort']]);
  return { by: query.sort ?? 'open', descending: query.order !== 'asc' };
};

const list: RouteHandler<OperationOf<'listIssues'>> = async ({ query }, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.issues.page(filterOf(place.projectId, query), page, orderOf(query));
  return pageReply(rows.map(wireIssue), sealCursor(next));
};

/** The names of all releases of a project, by id. */
const releaseNames = async ({ stores }: Ports, projectId: string): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>();
  let after: PageKey | null = null;
  do {
    const page: Page<Release> = await stores.releases.page({ projectId }, { limit: 200, after });
    for (const { id, name } of page.rows) names.set(id, name);
    after = page.next;
  } while (after !== null);
  return names;
};

const COLUMNS_BEFORE_RELEASE: TableColumns<WireIssue> = {
  title: ({ title }) => title,
  type: ({ type }) => type,
  state: ({ state }) => state,
  severity: ({ severity }) => severity,
};
const COLUMNS_AFTER_RELEASE: TableColumns<WireIssue> = {
  url: ({ url }) => url,
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
  external_id: ({ external_id }) => external_id,
  id: ({ id }) => id,
};

/** An issue of a known release as a line of a table. */
export const ISSUE_TABLE: TableColumns<WireIssue> = { ...COLUMNS_BEFORE_RELEASE, ...COLUMNS_AFTER_RELEASE };

const columnsOf = (releases: ReadonlyMap<string, string>): TableColumns<WireIssue> => ({
  ...COLUMNS_BEFORE_RELEASE,
  release: ({ release_id }) => releases.get(release_id ?? '') ?? null,
  ...COLUMNS_AFTER_RELEASE,
  release_id: ({ release_id }) => release_id,
});

const exportTable: RouteHandler<OperationOf<'exportIssues'>> = async ({ query }, { ports, place: { projectId } }) => {
  const [filter, order] = [filterOf(projectId, query), orderOf(query)];
  const { slices, stores } = ports;
  return exportList({
    name: 'issues',
    columns: columnsOf(await releaseNames(ports, projectId)),
    slices,
    readPage: async (page) => {
      const { rows, next } = await stores.issues.page(filter, page, order);
      return { rows: await slices.map(rows, wireIssue), next };
    },
  });
};

const create: RouteHandler<OperationOf<'createIssue'>> = async ({ body }, context) => {
  const { teamId, projectId } = context.place;
  const issue = await addIssue(context.ports, { by: actorOf(context), teamId, projectId, issue: sentIssue(body) });
  return { status: 201, body: { data: wireIssue(issue) } };
};

const read: RouteHandler<OperationOf<'readIssue'>> = async (_, { place }) => ({
  status: 200,
  body: { data: wireIssue(place.issue) },
});

const change: RouteHandler<OperationOf<'changeIssue'>> = async ({ body, ifMatch: version }, context) => {
  const { teamId, projectId, issue } = context.place;
  const command = { by: actorOf(context), teamId, projectId, issueId: issue.id, edit: issueEdit(body), version };
  const edited = await withCurrent(wireIssue, editIssue(context.ports, command));
  return { status: 200, body: { data: wireIssue(edited) } };
};

/** The routes of issues that people enter and change. */
export const issueRoutes = {
  listIssues: list,
  exportIssues: exportTable,
  createIssue: create,
  readIssue: read,
  changeIssue: change,
} as const satisfies Partial<Routes>;
