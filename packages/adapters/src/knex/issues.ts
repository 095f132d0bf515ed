import {
  type CountedIssue,
  type Issue,
  type IssueEvent,
  type IssueState,
  type IssueType,
  issueMoves,
  type Severity,
} from '@shipworthy/domain';
import type { IssueFilter, IssueStore } from '@shipworthy/domain/ports';
import { markReleases } from './change-log-sql.js';
import { eventsOf, storeImported } from './issues-sql.js';
import { among, query, type TableOf } from './query.js';
import { letGo } from './repository-links.js';
import { type Access, inOrder, keysetPage, type Listing } from './sql.js';

interface IssueRow {
  readonly id: string;
  readonly project_id: string;
  readonly release_id: string | null;
  readonly title: string;
  readonly type: IssueType;
  readonly state: IssueState;
  readonly severity: Severity | null;
  readonly url: string | null;
  readonly external_id: string | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

interface IssueColumns extends IssueRow {
  readonly open: number;
}

interface EventColumns {
  /** Numbered by the database, in the order they are stored. */
  readonly place: number;
  readonly issue_id: string;
  readonly release_id: string | null;
  readonly at: number;
  readonly kind: IssueEvent['kind'];
  readonly type: IssueEvent['type'];
}

declare module 'knex/types/tables.js' {
  interface Tables {
    issues: TableOf<IssueColumns, 'created_at' | 'updated_at'>;
    issue_events: TableOf<EventColumns, 'at', 'place'>;
  }
}

/** The columns an issue is read from. */
const ISSUE_COLUMNS = [
  'id',
  'project_id',
  'release_id',
  'title',
  'type',
  'state',
  'severity',
  'url',
  'external_id',
  'version',
  'created_at',
  'updated_at',
] as const;

const isOpen = (state: IssueState): number => (state === 'todo' || state === 'in_progress' ? 1 : 0);

const issueOf = (row: IssueRow): Issue => ({
  id: row.id,
  projectId: row.project_id,
  releaseId: row.release_id,
  title: row.title,
  type: row.type,
  state: row.state,
  severity: row.severity,
  url: row.url,
  externalId: row.external_id,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The values of an issue, by column. */
const issueColumns = (access: Access, issue: Issue) => ({
  id: issue.id,
  project_id: issue.projectId,
  created_at: access.dialect.moment(issue.createdAt),
  release_id: issue.releaseId,
  title: issue.title,
  type: issue.type,
  state: issue.state,
  severity: issue.severity,
  url: issue.url,
  external_id: issue.externalId,
  version: issue.version,
  updated_at: access.dialect.moment(issue.updatedAt),
  open: isOpen(issue.state),
});

const note = async (access: Access, before: CountedIssue | null, issue: Issue, events: readonly IssueEvent[]) => {
  for (const { issueId, releaseId, at, kind, type } of events)
    await query(access)
      .from('issue_events')
      .insert({ issue_id: issueId, release_id: releaseId, at: access.dialect.moment(at), kind, type });
  await markReleases(
    access,
    issueMoves(before, issue).map(({ releaseId, move }) => ({ releaseId, causes: [move] })),
  );
};

const create = (access: Access, issue: Issue, events: readonly IssueEvent[]): Promise<void> =>
  access.atomically(async (inside) => {
    await query(inside).from('issues').insert(issueColumns(access, issue));
    await note(inside, null, issue, events);
  });

const replace = (access: Access, next: Issue, events: readonly IssueEvent[]): Promise<boolean> =>
  access.atomically(async (inside) => {
    const issues = () => query(inside).from('issues');
    const stored = await issues()
      .where({ id: next.id, version: next.version - 1 })
      .forUpdate()
      .first('release_id', 'type', 'state', 'severity');
    if (stored === undefined) return false;
    const { id, project_id, created_at, ...columns } = issueColumns(access, next);
    await issues().where('id', id).update(columns);
    const { release_id: releaseId, type, state, severity } = stored;
    const before: CountedIssue = { releaseId, type, state, severity };
    await note(inside, before, next, events);
    return true;
  });

const listing = (access: Access, { projectId, releaseId, type, state }: IssueFilter): Listing => {
  const conditions = { project_id: projectId, release_id: releaseId, type, state };
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return {
    rows: query(access).from('issues').where(Object.fromEntries(given)).select(ISSUE_COLUMNS),
    sort: [
      { name: 'open', kind: 'number' },
      { name: 'created_at', kind: 'moment' },
      { name: 'id', kind: 'text' },
    ],
    descending: true,
  };
};

const imported = (access: Access, projectId: string): Listing => {
  const unshipped = query(access)
    .from('releases')
    .where('project_id', projectId)
    .whereIn('state', ['planned', 'active']);
  return {
    rows: query(access)
      .from('issues')
      .where('project_id', projectId)
      .whereNotNull('external_id')
      .where((or) => or.whereNull('release_id').orWhereIn('release_id', unshipped.select('id')))
      .select(ISSUE_COLUMNS),
    sort: [{ name: 'external_id', kind: 'text' }],
    descending: false,
  };
};

export const issueStore = (access: Access): IssueStore => ({
  create: (issue, events) => create(access, issue, events),
  byId: async (issueId) => {
    const row = await query(access)
      .from('issues')
      .where('id', issueId)
      .first(...ISSUE_COLUMNS);
    return row && issueOf(row);
  },
  byIds: async (issueIds) => {
    const rows = await query(access)
      .from('issues')
      .where(among(access, 'id', 'id', issueIds))
      .select(...ISSUE_COLUMNS);
    return inOrder(issueIds, rows.map(issueOf), ({ id }) => id);
  },
  replace: (next, events) => replace(access, next, events),
  page: (filter, page) =>
    keysetPage(access, listing(access, filter), page, issueOf, ({ state, createdAt, id }) => [
      isOpen(state),
      createdAt,
      id,
    ]),
  eventsOf: (releaseId, page) => eventsOf(access, releaseId, page),
  byExternalIds: async (projectId, externalIds) => {
    const rows = await query(access)
      .from('issues')
      .where('project_id', projectId)
      .where(among(access, 'external_id', 'text', externalIds))
      .select(...ISSUE_COLUMNS);
    return inOrder(externalIds, rows.map(issueOf), ({ externalId }) => externalId ?? '');
  },
  import: (changes) => storeImported(access, changes, (issue) => issueColumns(access, issue)),
  importedPage: (projectId, page) =>
    keysetPage(access, imported(access, projectId), page, issueOf, ({ externalId }) => [externalId ?? '']),
  letGo: (projectId) => letGo(access, 'issues', projectId),
});
