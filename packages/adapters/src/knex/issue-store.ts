import type { Issue, IssueEvent, IssueFilter, IssueState, IssueStore, IssueType, Severity } from '@shipworthy/domain';
import type { Access } from './access.js';
import type { Value } from './dialect.js';
import { markReleases } from './marks.js';
import { type Listing, pageOf } from './page-of.js';
import { insert } from './sql.js';

interface IssueRow {
  readonly id: string;
  readonly project_id: string;
  readonly release_id: string | null;
  readonly title: string;
  readonly type: IssueType;
  readonly state: IssueState;
  readonly severity: Severity | null;
  readonly url: string | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

const COLUMNS = 'id, project_id, release_id, title, type, state, severity, url, version, created_at, updated_at';

const issueOf = (row: IssueRow): Issue => ({
  id: row.id,
  projectId: row.project_id,
  releaseId: row.release_id,
  title: row.title,
  type: row.type,
  state: row.state,
  severity: row.severity,
  url: row.url,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const isOpen = (state: IssueState): number => (state === 'todo' || state === 'in_progress' ? 1 : 0);

const changeable = (access: Access, issue: Issue): Readonly<Record<string, Value>> => ({
  release_id: issue.releaseId,
  title: issue.title,
  type: issue.type,
  state: issue.state,
  severity: issue.severity,
  url: issue.url,
  version: issue.version,
  updated_at: access.dialect.moment(issue.updatedAt),
  open: isOpen(issue.state),
});

const note = async (
  access: Access,
  issue: Issue,
  events: readonly IssueEvent[],
  releases: readonly (string | null)[],
) => {
  for (const { issueId, releaseId, at, kind, type } of events) {
    const columns = { issue_id: issueId, release_id: releaseId, at: access.dialect.moment(at), kind, type };
    await insert(access, 'issue_events', columns);
  }
  const cause = { kind: 'issue', id: issue.id, at: issue.updatedAt } as const;
  const touched = new Set(releases.filter((id) => id !== null));
  await markReleases(
    access,
    [...touched].map((releaseId) => ({ releaseId, causes: [cause] })),
  );
};

const create = (access: Access, issue: Issue, events: readonly IssueEvent[]): Promise<void> =>
  access.atomically(async (inside) => {
    const { id, projectId, createdAt } = issue;
    const created_at = access.dialect.moment(createdAt);
    await insert(inside, 'issues', { id, project_id: projectId, ...changeable(access, issue), created_at });
    await note(inside, issue, events, [issue.releaseId]);
  });

const replace = (access: Access, next: Issue, events: readonly IssueEvent[]): Promise<boolean> =>
  access.atomically(async (inside) => {
    const [before] = await inside.write<{ release_id: string | null }>(
      `select release_id from issues where id = ? and version = ? ${access.dialect.forUpdate}`,
      [next.id, next.version - 1],
    );
    if (before === undefined) return false;
    const columns = changeable(access, next);
    const set = Object.keys(columns).map((name) => `${name} = ?`);
    await inside.write(`update issues set ${set.join(', ')} where id = ?`, [...Object.values(columns), next.id]);
    await note(inside, next, events, [before.release_id, next.releaseId]);
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
    select: `select ${COLUMNS} from issues`,
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

export const issueStore = (access: Access): IssueStore => ({
  create: (issue, events) => create(access, issue, events),
  byId: async (issueId) => {
    const [row] = await access.read<IssueRow>(`select ${COLUMNS} from issues where id = ?`, [issueId]);
    return row && issueOf(row);
  },
  replace: (next, events) => replace(access, next, events),
  page: (filter, page) =>
    pageOf(access, listing(filter), page, issueOf, ({ state, createdAt, id }) => [isOpen(state), createdAt, id]),
});
