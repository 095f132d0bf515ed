import {
  DomainError,
  holdsWords,
  type ImportedIssue,
  type Issue,
  type IssueEvent,
  type IssueSort,
  issueMoves,
  type Page,
  type PageKey,
  type PageRequest,
  USUAL_ISSUE_ORDER,
} from '@shipworthy/domain';
import type { IssueFilter, IssueStore } from '@shipworthy/domain/ports';
import { markRelease } from './change-log.js';
import { detachFromHost } from './repository-links.js';
import { pageDown, pageUp } from './table.js';
import { keyOf, type TableAccess, type Tables } from './tables.js';

const isOpen = ({ state }: Issue): boolean => state === 'todo' || state === 'in_progress';

const refuseTaken = (tables: Tables, { id, projectId, externalId }: Issue): void => {
  if (externalId === null) return;
  if (tables.issues.where('external', keyOf(projectId, externalId)).every((other) => other.id === id)) return;
  throw new DomainError('external-id-conflict', `The project has ${externalId} already.`, { externalId });
};

const store = (tables: Tables, issue: Issue, events: readonly IssueEvent[], before: Issue | null): void => {
  refuseTaken(tables, issue);
  tables.issues.put(issue.id, issue);
  tables.issueEvents.put(issue.id, [...(tables.issueEvents.get(issue.id) ?? []), ...events]);
  for (const { releaseId, move } of issueMoves(before, issue)) markRelease(tables, releaseId, move);
};

const storeImported = (tables: Tables, { before, issue, events, wholeHistory }: ImportedIssue): void => {
  const stored = tables.issues.get(issue.id);
  if (stored?.version !== before?.version) {
    throw new DomainError('version-mismatch', `${issue.title} was changed in the meantime.`, {
      current: stored?.version,
    });
  }
  if (wholeHistory) tables.issueEvents.remove(issue.id);
  store(tables, issue, events, stored ?? null);
};

/** Whether an issue may still leave the release it is in. */
const mayLeave = ({ releases }: Tables, { releaseId }: Issue): boolean => {
  const state = releaseId === null ? null : releases.get(releaseId)?.state;
  return state !== 'shipped' && state !== 'canceled';
};

/** A page of a release's issue events. Looks at all issues of the project, since some have left the release. */
const eventsOf = (
  { releases, issues, issueEvents }: Tables,
  releaseId: string,
  page: PageRequest,
): Page<IssueEvent> => {
  const projectId = releases.get(releaseId)?.projectId ?? '';
  const events = issues
    .where('project', projectId)
    .flatMap(({ id }) => (issueEvents.get(id) ?? []).map((event, place) => ({ event, place })))
    .filter(({ event }) => event.releaseId === releaseId);
  const { rows, next } = pageUp(events, ({ event, place }) => [event.at, event.issueId, place], page);
  return { rows: rows.map(({ event }) => event), next };
};

const finderOf = (text: NonNullable<IssueFilter['text']>): ((issue: Issue) => boolean) => {
  const holds = holdsWords(text);
  return ({ title, url }) => holds(title) || (text.number !== null && url?.endsWith(`/${text.number}`) === true);
};

const SORT_KEYS: Readonly<Record<IssueSort, (issue: Issue) => PageKey>> = {
  open: (issue) => [isOpen(issue) ? 1 : 0, issue.createdAt, issue.id],
  created: ({ createdAt, id }) => [createdAt, id],
  updated: ({ updatedAt, createdAt, id }) => [updatedAt, createdAt, id],
};

export const issueStore = ({ read, change }: TableAccess): IssueStore => ({
  create: (issue, events) => change((tables) => store(tables, issue, events, null)),
  byId: (issueId) => read(({ issues }) => issues.get(issueId)),
  byIds: (issueIds) => read(({ issues }) => issueIds.map((id) => issues.get(id))),
  replace: (next, events) =>
    change((tables) => {
      const before = tables.issues.get(next.id);
      if (before?.version !== next.version - 1) return false;
      store(tables, next, events, before);
      return true;
    }),
  page: ({ projectId, releaseId, type, state, severity, text }, page, { by, descending } = USUAL_ISSUE_ORDER) =>
    read(({ issues }) => {
      const isFound = text === undefined ? () => true : finderOf(text);
      const wanted = issues
        .where('project', projectId)
        .filter(
          (issue) =>
            (releaseId === undefined || issue.releaseId === releaseId) &&
            (type === undefined || issue.type === type) &&
            (state === undefined || issue.state === state) &&
            (severity === undefined || issue.severity === severity) &&
            isFound(issue),
        );
      return (descending ? pageDown : pageUp)(wanted, SORT_KEYS[by], page);
    }),
  eventsOf: (releaseId, page) => read((tables) => eventsOf(tables, releaseId, page)),
  byExternalIds: (projectId, externalIds) =>
    read(({ issues }) => externalIds.map((id) => issues.where('external', keyOf(projectId, id))[0])),
  import: (changes) =>
    change((tables) => {
      for (const each of changes) storeImported(tables, each);
    }),
  importedPage: (projectId, page) =>
    read((tables) => {
      const imported = tables.issues
        .where('project', projectId)
        .filter((issue) => issue.externalId !== null && mayLeave(tables, issue));
      return pageUp(imported, ({ externalId }) => [externalId ?? ''], page);
    }),
  detachFromHost: (projectId) =>
    change((tables) => detachFromHost(tables.issues, tables.issues.where('project', projectId))),
});
