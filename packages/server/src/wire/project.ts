import type { Project as WireProject } from '@shipworthy/client/contract';
import type { Project } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** A release by id and name; whatever else it has stays behind. */
export type NamedRelease = { readonly id: string; readonly name: string };

/** A project with its active release, and where one is read the repository it is linked to. */
export const wireProject = (
  project: Project,
  active: NamedRelease | null | undefined,
  repository?: WireProject['repository'],
): WireProject => ({
  id: project.id,
  team_id: project.teamId,
  name: project.name,
  slug: project.slug,
  active_release: active ? { id: active.id, name: active.name } : null,
  ...(repository === undefined ? {} : { repository }),
  version: project.version,
  created_at: wireMoment(project.createdAt),
});
