import { firstChecklist } from '../checklist/checklist-template.js';
import type { Instant } from '../instant.js';
import type { Release } from '../release/release.js';
import type { ChangePorts } from './change.js';
import { changeProject, type InProject } from './in-project.js';

export interface CreateRelease extends InProject {
  readonly name: string;
  /** Start of the release window; null: the moment of the first activation. */
  readonly startsAt: Instant | null;
  readonly targetAt: Instant | null;
}

/** Plans a release with the checklist of its project's template. Role member. @throws DomainError `not-found`, `forbidden`, `name-taken` */
export const createRelease =
  (ports: ChangePorts) =>
  (command: CreateRelease): Promise<Release> =>
    changeProject(ports, command, 'member', async ({ stores, project, now, newId, note }) => {
      const { name, startsAt, targetAt } = command;
      const id = newId();
      const unended = { shippedAt: null, canceledAt: null, note: null, externalId: null };
      const plan = { id, projectId: project.id, name, state: 'planned', startsAt, targetAt } as const;
      const release: Release = { ...plan, ...unended, version: 1, createdAt: now };
      const template = await stores.checklists.template(project.id);
      await stores.releases.create(release, firstChecklist(template, id, now, newId));
      await note({
        teamId: project.teamId,
        action: 'release.create',
        resource: { type: 'release', id },
        detail: { name },
      });
      return release;
    });
