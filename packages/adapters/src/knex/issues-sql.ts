// SQL by hand: an import writes any number of issues by a few statements over tables of values, which the builder does
// not know, and a release's thousands of events are read as one text, in half the time that as many rows take.
import {
  type CountedIssue,
  DomainError,
  type ImportedIssue,
  type Issue,
  type IssueEvent,
  type IssueOrder,
  type IssueSort,
  type IssueState,
  type IssueType,
  issueMoves,
  type Page,
  type PageKey,
  type PageRequest,
  type Severity,
  USUAL_ISSUE_ORDER,
} from '@shipworthy/domain';
import type { IssueFilter, IssueStore } from '@shipworthy/domain/ports';
import { markReleases } from './change-log-sql.js';
import { type ColumnKind, FIRST_MOMENT, type Value } from './dialect.js';
import { lockProject } from './projects.js';
import { among, query, type TableOf } from './query.js';
import { detachFromHost } from './repository-links.js';
import { whereHoldsWords } from './search-sql.js';
import { type Access, groupedBy, inRequestedOrder, keysetPage, type Listing, type SortColumn } from './sql.js';

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

/** For each order: its sort columns, and the values that an issue has in them. */
const SORTS: Readonly<Record<IssueSort, readonly [columns: readonly SortColumn[], keyOf: (issue: Issue) => PageKey]>> =
  {
    open: [
      [
        { name: 'open', kind: 'number' },
        { name: 'created_at', kind: 'moment' },
        { name: 'id', kind: 'text' },
      ],
      ({ state, createdAt, id }) => [isOpen(state), createdAt, id],
    ],
    created: [
      [
        { name: 'created_at', kind: 'moment' },
        { name: 'id', kind: 'text' },
      ],
      ({ createdAt, id }) => [createdAt, id],
    ],
    updated: [
      [
        { name: 'updated_at', kind: 'moment' },
        { name: 'created_at', kind: 'moment' },
        { name: 'id', kind: 'text' },
      ],
      ({ updatedAt, createdAt, id }) => [updatedAt, createdAt, id],
    ],
  };

const page = (
  access: Access,
  { projectId, releaseId, type, state, severity, text }: IssueFilter,
  asked: PageRequest,
  { by, descending }: IssueOrder,
): Promise<Page<Issue>> => {
  const conditions = { project_id: projectId, release_id: releaseId, type, state, severity };
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const rows = query(access).from('issues').where(Object.fromEntries(given)).select(ISSUE_COLUMNS);
  const number = text?.number ?? null;
  whereHoldsWords(
    access,
    rows,
    'title',
    text,
    number === null ? [] : [{ sql: 'url like ?', bindings: [`%/${number}`] }],
  );
  const [sort, keyOf] = SORTS[by];
  return keysetPage(access, { rows, sort, descending }, asked, issueOf, keyOf);
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
    return inRequestedOrder(issueIds, rows.map(issueOf), ({ id }) => id);
  },
  replace: (next, events) => replace(access, next, events),
  page: (filter, asked, order = USUAL_ISSUE_ORDER) => page(access, filter, asked, order),
  eventsOf: (releaseId, page) => eventsOf(access, releaseId, page),
  byExternalIds: async (projectId, externalIds) => {
    const rows = await query(access)
      .from('issues')
      .where('project_id', projectId)
      .where(among(access, 'external_id', 'text', externalIds))
      .select(...ISSUE_COLUMNS);
    return inRequestedOrder(externalIds, rows.map(issueOf), ({ externalId }) => externalId ?? '');
  },
  import: (changes) => storeImported(access, changes, (issue) => issueColumns(access, issue)),
  importedPage: (projectId, page) =>
    keysetPage(access, imported(access, projectId), page, issueOf, ({ externalId }) => [externalId ?? '']),
  detachFromHost: (projectId) => detachFromHost(access, 'issues', projectId),
});

type EventCells = readonly [
  issueId: string,
  at: number,
  kind: IssueEvent['kind'],
  type: IssueEvent['type'],
  place: number,
];

/** The issue events of a release. A page is read as one text: thousands of single rows take twice as long. */
export const eventsOf = async (
  { dialect, read }: Access,
  releaseId: string,
  { limit, after }: PageRequest,
): Promise<Page<IssueEvent>> => {
  const { jsonArray, jsonArrayOf, milliseconds, moment } = dialect;
  const [at, place] = after ?? [FIRST_MOMENT, 0];
  const event = `${jsonArray}(issue_id, ${milliseconds('at')}, kind, type, place)`;
  const [row] = await read<{ readonly events: string | null }>(
    `select ${jsonArrayOf}(${event} order by at, place) as events
      from (select issue_id, at, kind, type, place from issue_events
        where release_id = ? and (at, place) > (?, ?) order by at, place limit ?) as e`,
    [releaseId, moment(Number(at)), Number(place), limit + 1],
    'events-of-release',
  );
  const cells: readonly EventCells[] = JSON.parse(row?.events ?? '[]');
  const shown = cells.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(([issueId, happenedAt, kind, type]) => ({ issueId, releaseId, at: happenedAt, kind, type })),
    next: cells.length > limit && last !== undefined ? [last[1], last[4]] : null,
  };
};

/** Columns that a change of an issue may touch. */
const CHANGEABLE = {
  release_id: 'id',
  title: 'text',
  type: 'text',
  state: 'text',
  severity: 'text',
  url: 'text',
  external_id: 'text',
  version: 'integer',
  updated_at: 'moment',
  open: 'integer',
} as const satisfies Readonly<Record<string, ColumnKind>>;

const ISSUE_KINDS = { id: 'id', project_id: 'id', created_at: 'moment', ...CHANGEABLE } as const;

const EVENT_KINDS = { issue_id: 'id', release_id: 'id', at: 'moment', kind: 'text', type: 'text' } as const;

const NAMES = Object.keys(ISSUE_KINDS);

/** The values of an issue, by column. */
type IssueCells = (issue: Issue) => Readonly<Record<string, Value>>;

/** The values of an event in the order of its columns. */
const eventCells = (access: Access, { issueId, releaseId, at, kind, type }: IssueEvent): readonly Value[] => [
  issueId,
  releaseId,
  access.dialect.moment(at),
  kind,
  type,
];

interface StoredRow extends CountedIssue {
  readonly id: string;
  readonly version: number;
}

/**
 * Locks the stored issues until the transaction ends; DomainError `version-mismatch` when one is not as in `before`.
 */
const lockStored = async (
  access: Access,
  changes: readonly ImportedIssue[],
): Promise<ReadonlyMap<string, StoredRow>> => {
  const { among, list, forUpdate } = access.dialect;
  const rows = await access.write<StoredRow>(
    `select id, version, release_id as "releaseId", type, state, severity from issues where ${among('id', 'id')} order by id ${forUpdate}`,
    [list(changes.map(({ issue }) => issue.id))],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const { before, issue } of changes) {
    const current = stored.get(issue.id)?.version;
    if (current === before?.version) continue;
    throw new DomainError('version-mismatch', `${issue.title} was changed in the meantime.`, { current });
  }
  return stored;
};

const rowsOf = (access: Access, issues: readonly Issue[], cellsOf: IssueCells) => {
  const rowset = access.dialect.rowset('v', ISSUE_KINDS);
  const cells = issues.map((issue) => {
    const columns = cellsOf(issue);
    return NAMES.map((name) => columns[name] ?? null);
  });
  return { table: rowset.table, bindings: rowset.bindings(cells) };
};

const insertNew = async (access: Access, issues: readonly Issue[], cellsOf: IssueCells): Promise<void> => {
  if (issues.length === 0) return;
  const { table, bindings } = rowsOf(access, issues, cellsOf);
  const columns = NAMES.join(', ');
  await access.write(`insert into issues (${columns}) select ${columns} from ${table}`, bindings, 'import-issues');
};

const replaceStored = async (access: Access, issues: readonly Issue[], cellsOf: IssueCells): Promise<void> => {
  if (issues.length === 0) return;
  const { table, bindings } = rowsOf(access, issues, cellsOf);
  const set = Object.keys(CHANGEABLE).map((name) => `${name} = v.${name}`);
  const text = `update issues as i set ${set.join(', ')} from ${table} where i.id = v.id`;
  await access.write(text, bindings, 'import-changed-issues');
};

const rewriteHistory = async (access: Access, changes: readonly ImportedIssue[]): Promise<void> => {
  const { among, list, rowset } = access.dialect;
  const rewritten = changes.filter(({ before, wholeHistory }) => wholeHistory && before !== null);
  if (rewritten.length > 0) {
    const ids = list(rewritten.map(({ issue }) => issue.id));
    await access.write(`delete from issue_events where ${among('issue_id', 'id')}`, [ids]);
  }
  const events = changes.flatMap((change): readonly IssueEvent[] => change.events);
  if (events.length === 0) return;
  const names = Object.keys(EVENT_KINDS).join(', ');
  const rows = rowset('v', { ...EVENT_KINDS, turn: 'integer' });
  await access.write(
    `insert into issue_events (${names}) select ${names} from ${rows.table} order by turn`,
    rows.bindings(events.map((event, turn) => [...eventCells(access, event), turn])),
    'import-issue-events',
  );
};

const markTouched = async (
  access: Access,
  changes: readonly ImportedIssue[],
  stored: ReadonlyMap<string, StoredRow>,
): Promise<void> => {
  const moves = changes.flatMap(({ issue }) => issueMoves(stored.get(issue.id) ?? null, issue));
  const marks = [...groupedBy(moves, ({ releaseId }) => releaseId)].map(([releaseId, ofRelease]) => ({
    releaseId,
    causes: ofRelease.map(({ move }) => move),
  }));
  await markReleases(access, marks);
};

/** Stores imported issues of one project; the number of statements does not depend on how many they are. */
export const storeImported = async (
  access: Access,
  changes: readonly ImportedIssue[],
  cellsOf: IssueCells,
): Promise<void> => {
  const projectId = changes[0]?.issue.projectId;
  if (projectId === undefined) return;
  await access.atomically(async (inside) => {
    await lockProject(inside, projectId);
    const stored = await lockStored(inside, changes);
    const issuesOf = (isNew: boolean): readonly Issue[] =>
      changes.filter(({ before }) => (before === null) === isNew).map(({ issue }) => issue);
    await insertNew(inside, issuesOf(true), cellsOf);
    await replaceStored(inside, issuesOf(false), cellsOf);
    await rewriteHistory(inside, changes);
    await markTouched(inside, changes, stored);
  });
};
