import type { ImportState, LinkedRepository } from '@shipworthy/domain';
import type { Access } from './access.js';
import { type Columns, momentOrNull } from './sql.js';
import { asJson } from './well-formed.js';

/** What is kept of an import beside the columns that statements look at. */
type Progress = Omit<ImportState, 'linkId' | 'dueAt' | 'startedAt' | 'suspectIssueIds' | 'pendingReleaseIds'>;

export interface LinkRow {
  readonly id: string;
  readonly project_id: string;
  readonly host: string;
  readonly user_id: string;
  readonly repository_id: string;
  readonly repository_path: string;
  readonly repository_url: string;
  readonly default_branch: string;
  readonly settings: string;
  readonly linked_at: number;
  readonly linked_by: string;
  readonly due_at: number;
  readonly running_since: number | null;
  readonly progress: string;
  readonly suspects: string;
  readonly pending: string;
}

export const LINK_COLUMNS = `id, project_id, host, user_id, repository_id, repository_path, repository_url, default_branch,
  settings, linked_at, linked_by, due_at, running_since, progress, suspects, pending`;

export const linkedOf = (row: LinkRow): LinkedRepository => ({
  link: {
    id: row.id,
    projectId: row.project_id,
    host: row.host,
    userId: row.user_id,
    repository: {
      id: row.repository_id,
      path: row.repository_path,
      url: row.repository_url,
      defaultBranch: row.default_branch,
    },
    settings: JSON.parse(row.settings) as LinkedRepository['link']['settings'],
    linkedAt: row.linked_at,
    linkedBy: row.linked_by,
  },
  state: {
    linkId: row.id,
    dueAt: row.due_at,
    startedAt: row.running_since,
    suspectIssueIds: JSON.parse(row.suspects) as readonly string[],
    pendingReleaseIds: JSON.parse(row.pending) as readonly string[],
    ...(JSON.parse(row.progress) as Progress),
  },
});

/** What a running import changes: its own state, and how the repository is called now. */
export const stateColumns = (access: Access, { link: { repository }, state }: LinkedRepository): Columns => {
  const { linkId: _, dueAt, startedAt, suspectIssueIds, pendingReleaseIds, ...progress } = state;
  return {
    repository_id: repository.id,
    repository_path: repository.path,
    repository_url: repository.url,
    default_branch: repository.defaultBranch,
    due_at: access.dialect.moment(dueAt),
    running_since: momentOrNull(access, startedAt),
    progress: asJson(progress satisfies Progress),
    suspects: asJson(suspectIssueIds),
    pending: asJson(pendingReleaseIds),
  };
};

/** A link as it is first stored; nobody asked for another run yet. */
export const linkColumns = (access: Access, linked: LinkedRepository): Columns => {
  const { link } = linked;
  return {
    id: link.id,
    project_id: link.projectId,
    host: link.host,
    user_id: link.userId,
    settings: asJson(link.settings),
    linked_at: access.dialect.moment(link.linkedAt),
    linked_by: link.linkedBy,
    hurried: 0,
    ...stateColumns(access, linked),
  };
};
