import type { Issue } from '../issue/issue.js';
import { issueEvents } from '../issue/issue-events.js';
import type { ChangePorts } from './change.js';
import { requireOpenRelease } from './in-issue.js';
import { changeProject, type InProject } from './in-project.js';

export interface AddIssue extends InProject {
  readonly issue: Pick<Issue, 'title' | 'type' | 'state' | 'severity' | 'url' | 'releaseId'>;
}

/** Adds an issue, to an open release or to none. Role member. @throws DomainError `not-found`, `forbidden`, `invalid` for an unknown release, `release-closed` */
export const addIssue =
  (ports: ChangePorts) =>
  (command: AddIssue): Promise<Issue> =>
    changeProject(ports, command, 'member', async ({ stores, project, now, newId, note }) => {
      const given = command.issue;
      await requireOpenRelease(stores, project.id, given.releaseId);
      const issue = {
        ...given,
        id: newId(),
        projectId: project.id,
        externalId: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
      };
      await stores.issues.create(issue, issueEvents(null, issue, now));
      const resource = { type: 'issue', id: issue.id };
      await note({ teamId: project.teamId, action: 'issue.add', resource, detail: { title: issue.title } });
      return issue;
    });
