// SQL by hand: what an import writes is some statements for any number of issues, from tables of values the builder does not know,
// and a release's thousands of events are read as one text, in half the time that as many rows take.
import {
  type CountedIssue,
  DomainError,
  type ImportedIssue,
  type Issue,
  type IssueEvent,
  issueMoves,
  type Page,
  type PageRequest,
} from '@shipworthy/domain';
import { markReleases } from './change-log-sql.js';
import { type ColumnKind, FIRST_MOMENT, type Value } from './dialect.js';
import { lockProject } from './projects.js';
import { type Access, groupedBy } from './sql.js';

type EventCells = readonly [
  issueId: string,
  at: number,
  kind: IssueEvent['kind'],
  type: IssueEvent['type'],
  place: number,
];

/** What happened in a release. A page is one text: as rows of their own thousands of events take twice as long to arrive. */
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
export type IssueCells = (issue: Issue) => Readonly<Record<string, Value>>;

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

/** What is stored of the issues now, held until the transaction ends; DomainError `version-mismatch` when it is not `before`. */
const hold = async (access: Access, changes: readonly ImportedIssue[]): Promise<ReadonlyMap<string, StoredRow>> => {
  const { among, list, forUpdate } = access.dialect;
  const rows = await access.write<StoredRow>(
    `select id, version, release_id as "releaseId", type, state, severity from issues where ${among('id', 'id')} order by id ${forUpdate}`,
    [list(changes.map(({ issue }) => issue.id))],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const { before, issue } of changes) {
    const current = stored.get(issue.id)?.version;
    if (current === before?.version) continue;
    throw new DomainError('version-mismatch', `${issue.title} was changed meanwhile.`, { current });
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
    const stored = await hold(inside, changes);
    const issuesOf = (isNew: boolean): readonly Issue[] =>
      changes.filter(({ before }) => (before === null) === isNew).map(({ issue }) => issue);
    await insertNew(inside, issuesOf(true), cellsOf);
    await replaceStored(inside, issuesOf(false), cellsOf);
    await rewriteHistory(inside, changes);
    await markTouched(inside, changes, stored);
  });
};
