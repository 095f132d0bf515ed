import { addIssue, editIssue } from '@shipworthy/domain';
import { withCurrent } from '../http/domain-problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { issueEdit, issueOf, wireIssue } from '../wire/issue.js';
import { actorOf } from './actor.js';
import { pageReply } from './page-reply.js';

const list: Route<OperationOf<'listIssues'>> = async ({ query }, { ports, place, page, sealCursor }) => {
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

const create: Route<OperationOf<'createIssue'>> = async ({ body }, context) => {
  const { teamId, projectId } = context.place;
  const issue = await addIssue(context.ports)({ by: actorOf(context), teamId, projectId, issue: issueOf(body) });
  return { status: 201, body: { data: wireIssue(issue) } };
};

const read: Route<OperationOf<'readIssue'>> = async (_, { place }) => ({
  status: 200,
  body: { data: wireIssue(place.issue) },
});

const change: Route<OperationOf<'changeIssue'>> = async ({ body, ifMatch: version }, context) => {
  const { teamId, projectId, issue } = context.place;
  const command = { by: actorOf(context), teamId, projectId, issueId: issue.id, edit: issueEdit(body), version };
  const edited = await withCurrent(wireIssue, editIssue(context.ports)(command));
  return { status: 200, body: { data: wireIssue(edited) } };
};

/** Pieces of work, by hand. */
export const issueRoutes = {
  listIssues: list,
  createIssue: create,
  readIssue: read,
  changeIssue: change,
} as const satisfies Partial<Routes>;
