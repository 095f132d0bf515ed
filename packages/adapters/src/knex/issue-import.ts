import {
  type CountedIssue,
  DomainError,
  type ImportedIssue,
  type Issue,
  type IssueEvent,
  issueMoves,
} from '@shipworthy/domain';
import type { Access } from './access.js';
import { grouped } from './grouped.js';
import { CHANGEABLE, EVENT_KINDS, eventCells, ISSUE_KINDS, issueColumns } from './issue-row.js';
import { markReleases } from './marks.js';
import { lockProject } from './project-lock.js';

const NAMES = Object.keys(ISSUE_KINDS);

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

const rowsOf = (access: Access, issues: readonly Issue[]) => {
  const rowset = access.dialect.rowset('v', ISSUE_KINDS);
  const cells = issues.map((issue) => {
    const columns: Readonly<Record<string, string | number | null>> = issueColumns(access, issue);
    return NAMES.map((name) => columns[name] ?? null);
  });
  return { table: rowset.table, bindings: rowset.bindings(cells) };
};

const insertNew = async (access: Access, issues: readonly Issue[]): Promise<void> => {
  if (issues.length === 0) return;
  const { table, bindings } = rowsOf(access, issues);
  const columns = NAMES.join(', ');
  await access.write(`insert into issues (${columns}) select ${columns} from ${table}`, bindings, 'import-issues');
};

const replaceStored = async (access: Access, issues: readonly Issue[]): Promise<void> => {
  if (issues.length === 0) return;
  const { table, bindings } = rowsOf(access, issues);
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
  const marks = [...grouped(moves, ({ releaseId }) => releaseId)].map(([releaseId, ofRelease]) => ({
    releaseId,
    causes: ofRelease.map(({ move }) => move),
  }));
  await markReleases(access, marks);
};

/** Stores imported issues of one project; the number of statements does not depend on how many they are. */
export const importIssues = async (access: Access, changes: readonly ImportedIssue[]): Promise<void> => {
  const projectId = changes[0]?.issue.projectId;
  if (projectId === undefined) return;
  await access.atomically(async (inside) => {
    await lockProject(inside, projectId);
    const stored = await hold(inside, changes);
    const issuesOf = (isNew: boolean): readonly Issue[] =>
      changes.filter(({ before }) => (before === null) === isNew).map(({ issue }) => issue);
    await insertNew(inside, issuesOf(true));
    await replaceStored(inside, issuesOf(false));
    await rewriteHistory(inside, changes);
    await markTouched(inside, changes, stored);
  });
};
