import { DomainError, invalid, notFound } from '../errors.js';
import { type Issue, issueEvents } from '../issue.js';
import type { Stores } from '../ports.js';
import { requireOpen } from '../release/release.js';
import { type ChangePorts, type InProject, requireVersion, runProjectChange, versionMismatch } from './change.js';

/**
 * Demands that an issue may join or leave the release; null: none, always allowed.
 * @throws DomainError `invalid` when it is not of this project, `release-closed`
 */
const requireOpenRelease = async (
  { releases }: Pick<Stores, 'releases'>,
  projectId: string,
  releaseId: string | null,
): Promise<void> => {
  if (releaseId === null) return;
  const release = await releases.byId(releaseId);
  if (release?.projectId === projectId) return requireOpen(release);
  throw invalid([
    { pointer: '/release_id', code: 'unknown-release', message: 'release_id names no release of this project.' },
  ]);
};

export interface AddIssue extends InProject {
  readonly issue: Pick<Issue, 'title' | 'type' | 'state' | 'severity' | 'url' | 'releaseId'>;
}

/** Adds an issue, to an open release or to none. @throws DomainError `not-found`, `forbidden`, `invalid` for an unknown release, `release-closed` */
export function addIssue(ports: ChangePorts, command: AddIssue): Promise<Issue> {
  return runProjectChange(ports, command, async ({ stores, project, now, newId, note }) => {
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
}

/** Refuses to edit an imported issue: the next import would undo the edit. */
const requireOwn = async ({ repositoryLinks }: Pick<Stores, 'repositoryLinks'>, issue: Issue): Promise<void> => {
  if (issue.externalId === null) return;
  const linked = await repositoryLinks.ofProject(issue.projectId);
  if (linked === undefined) return;
  const message = 'This issue comes from the linked repository; edit it there, or unlink the repository.';
  throw new DomainError('kept-by-host', message, { url: issue.url ?? linked.link.repository.url });
};

export interface EditIssue extends InProject {
  readonly issueId: string;
  /** Missing members stay. */
  readonly edit: Partial<Pick<Issue, 'title' | 'type' | 'state' | 'severity' | 'url' | 'releaseId'>>;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/**
 * Edits an issue; it neither joins nor leaves a closed release, and an imported one is edited only in the linked
 * repository.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `invalid` for an unknown release, `release-closed`,
 * `kept-by-host` (details: `url`)
 */
export function editIssue(ports: ChangePorts, command: EditIssue): Promise<Issue> {
  return runProjectChange(ports, command, async ({ stores, project, now, note }) => {
    const issue = await stores.issues.byId(command.issueId);
    if (issue?.projectId !== project.id) throw notFound('issue');
    await requireOwn(stores, issue);
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
}
