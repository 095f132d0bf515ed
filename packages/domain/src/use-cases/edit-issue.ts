import { notFound } from '../errors.js';
import type { Issue } from '../issue/issue.js';
import { issueEvents } from '../issue/issue-events.js';
import { type ChangePorts, requireVersion, versionMismatch } from './change.js';
import { requireOpenRelease } from './in-issue.js';
import { changeProject, type InProject } from './in-project.js';

export interface EditIssue extends InProject {
  readonly issueId: string;
  /** What is left out stays. */
  readonly edit: Partial<Pick<Issue, 'title' | 'type' | 'state' | 'severity' | 'url' | 'releaseId'>>;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/**
 * Edits an issue; it neither joins nor leaves a closed release. Role member.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `invalid` for an unknown release, `release-closed`
 */
export const editIssue =
  (ports: ChangePorts) =>
  (command: EditIssue): Promise<Issue> =>
    changeProject(ports, command, 'member', async ({ stores, project, now, note }) => {
      const issue = await stores.issues.byId(command.issueId);
      if (issue?.projectId !== project.id) throw notFound('issue');
      requireVersion(issue, command.version);
      const next = { ...issue, ...command.edit, version: issue.version + 1, updatedAt: now };
      if (next.releaseId !== issue.releaseId) {
        await requireOpenRelease(stores, project.id, issue.releaseId);
        await requireOpenRelease(stores, project.id, next.releaseId);
      }
      if (!(await stores.issues.replace(next, issueEvents(issue, next, now))))
        throw versionMismatch(await stores.issues.byId(issue.id));
      const resource = { type: 'issue', id: issue.id };
      await note({ teamId: project.teamId, action: 'issue.edit', resource, detail: { ...command.edit } });
      return next;
    });
