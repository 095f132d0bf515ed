import {
  type CountedIssue,
  type Issue,
  type IssueEvent,
  type IssueFilter,
  type IssueStore,
  issueMoves,
} from '@shipworthy/domain';
import type { Access } from './access.js';
import { eventsOf } from './issue-events.js';
import { importIssues } from './issue-import.js';
import { EVENT_KINDS, eventCells, ISSUE_COLUMNS, type IssueRow, isOpen, issueColumns, issueOf } from './issue-row.js';
import { letGo } from './let-go.js';
import { markReleases } from './marks.js';
import { type Listing, pageOf } from './page-of.js';
import { inOrder, insert, update } from './sql.js';

const EVENT_NAMES = Object.keys(EVENT_KINDS);

const INSERT_EVENT = `insert into issue_events (${EVENT_NAMES.join(', ')}) values (${EVENT_NAMES.map(() => '?').join(', ')})`;

const note = async (access: Access, before: CountedIssue | null, issue: Issue, events: readonly IssueEvent[]) => {
  for (const event of events) await access.write(INSERT_EVENT, eventCells(access, event));
  await markReleases(
    access,
    issueMoves(before, issue).map(({ releaseId, move }) => ({ releaseId, causes: [move] })),
  );
};

const create = (access: Access, issue: Issue, events: readonly IssueEvent[]): Promise<void> =>
  access.atomically(async (inside) => {
    await insert(inside, 'issues', issueColumns(access, issue));
    await note(inside, null, issue, events);
  });

const replace = (access: Access, next: Issue, events: readonly IssueEvent[]): Promise<boolean> =>
  access.atomically(async (inside) => {
    const [before] = await inside.write<CountedIssue>(
      `select release_id as "releaseId", type, state, severity from issues
        where id = ? and version = ? ${access.dialect.forUpdate}`,
      [next.id, next.version - 1],
    );
    if (before === undefined) return false;
    const { id, project_id, created_at, ...columns } = issueColumns(access, next);
    await update(inside, 'issues', columns, 'id = ?', [id]);
    await note(inside, before, next, events);
    return true;
  });

const listing = ({ projectId, releaseId, type, state }: IssueFilter): Listing => {
  const conditions = [
    ['project_id', projectId] as const,
    ['release_id', releaseId] as const,
    ['type', type] as const,
    ['state', state] as const,
  ];
  const given = conditions.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  return {
    select: `select ${ISSUE_COLUMNS} from issues`,
    conditions: given.map(({ column }) => `${column} = ?`),
    bindings: given.map(({ value }) => value),
    sort: [
      { name: 'open', kind: 'number' },
      { name: 'created_at', kind: 'moment' },
      { name: 'id', kind: 'text' },
    ],
    descending: true,
  };
};

const imported = (projectId: string): Listing => ({
  select: `select ${ISSUE_COLUMNS} from issues`,
  conditions: [
    'project_id = ?',
    'external_id is not null',
    `(release_id is null or release_id in
      (select id from releases where project_id = ? and state in ('planned', 'active')))`,
  ],
  bindings: [projectId, projectId],
  sort: [{ name: 'external_id', kind: 'text' }],
  descending: false,
});

export const issueStore = (access: Access): IssueStore => ({
  create: (issue, events) => create(access, issue, events),
  byId: async (issueId) => {
    const [row] = await access.read<IssueRow>(`select ${ISSUE_COLUMNS} from issues where id = ?`, [issueId]);
    return row && issueOf(row);
  },
  byIds: async (issueIds) => {
    const { among, list } = access.dialect;
    const rows = await access.read<IssueRow>(`select ${ISSUE_COLUMNS} from issues where ${among('id', 'id')}`, [
      list(issueIds),
    ]);
    return inOrder(issueIds, rows.map(issueOf), ({ id }) => id);
  },
  replace: (next, events) => replace(access, next, events),
  page: (filter, page) =>
    pageOf(access, listing(filter), page, issueOf, ({ state, createdAt, id }) => [isOpen(state), createdAt, id]),
  eventsOf: (releaseId, page) => eventsOf(access, releaseId, page),
  byExternalIds: async (projectId, externalIds) => {
    const { among, list } = access.dialect;
    const rows = await access.read<IssueRow>(
      `select ${ISSUE_COLUMNS} from issues where project_id = ? and ${among('external_id', 'text')}`,
      [projectId, list(externalIds)],
    );
    return inOrder(externalIds, rows.map(issueOf), ({ externalId }) => externalId ?? '');
  },
  import: (changes) => importIssues(access, changes),
  importedPage: (projectId, page) =>
    pageOf(access, imported(projectId), page, issueOf, ({ externalId }) => [externalId ?? '']),
  letGo: (projectId) => letGo(access, 'issues', projectId),
});
