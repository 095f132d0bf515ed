import type { Issue, IssueEvent, IssueState, IssueType, Severity } from '@shipworthy/domain';
import type { Access } from './access.js';
import type { ColumnKind, Value } from './dialect.js';

export interface IssueRow {
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

/** Columns that a change of an issue may touch. */
export const CHANGEABLE = {
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

export const ISSUE_KINDS = { id: 'id', project_id: 'id', created_at: 'moment', ...CHANGEABLE } as const;

export const EVENT_KINDS = { issue_id: 'id', release_id: 'id', at: 'moment', kind: 'text', type: 'text' } as const;

/** The columns an issue is read from. */
export const ISSUE_COLUMNS =
  'id, project_id, release_id, title, type, state, severity, url, external_id, version, created_at, updated_at';

export const isOpen = (state: IssueState): number => (state === 'todo' || state === 'in_progress' ? 1 : 0);

export const issueOf = (row: IssueRow): Issue => ({
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
export const issueColumns = (access: Access, issue: Issue): Readonly<Record<keyof typeof ISSUE_KINDS, Value>> => ({
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

/** The values of an event in the order of its columns. */
export const eventCells = (access: Access, { issueId, releaseId, at, kind, type }: IssueEvent): readonly Value[] => [
  issueId,
  releaseId,
  access.dialect.moment(at),
  kind,
  type,
];
