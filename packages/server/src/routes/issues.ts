import type { BodyOf, Operations, Issue as WireIssue } from '@shipworthy/client/contract';
import type { Issue } from '@shipworthy/domain';
import { type AddIssue, addIssue, type EditIssue, editIssue } from '@shipworthy/domain/use-cases';
import { withCurrent } from '../http/problem.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { wireMoment } from '../wire.js';
import { actorOf, pageReply } from './replies.js';

/** An issue. */
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

/** The issue that is sent; ids are stored in lower case. */
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

const list: RouteHandler<OperationOf<'listIssues'>> = async ({ query }, { ports, place, page, sealCursor }) => {
  const { release_id, state, type } = query;
  const filter = {
    projectId: place.projectId,
    ...(release_id === undefined ? {} : { releaseId: release_id.toLowerCase() }),
    ...(state === undefined ? {} : { state }),
    ...(type === undefined ? {} : { type }),
  };
  const { rows, next } = await ports.stores.issues.page(filter, page);
  return pageReply(rows.map(wireIssue), sealCursor(next));
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

/** Pieces of work, by hand. */
export const issueRoutes = {
  listIssues: list,
  createIssue: create,
  readIssue: read,
  changeIssue: change,
} as const satisfies Partial<Routes>;
