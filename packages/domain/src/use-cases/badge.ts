import { type Badge, badgeOf, NO_RELEASE_BADGE } from '../badge.js';
import { notFound } from '../errors.js';
import type { Ports } from '../ports.js';
import { liveReport } from '../release/facts.js';
import { type ChangePorts, type InProject, runProjectChange } from './change.js';

/**
 * Publishes a project's badge under a new token, which is returned once and not stored; a former token stops working. @throws
 * DomainError `not-found`, `forbidden`
 */
export function showBadge(
  { secrets, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>,
  command: InProject,
): Promise<string> {
  return runProjectChange(ports, command, async ({ stores, project, now, by, note }) => {
    const token = secrets.newToken();
    const whose = { projectId: project.id, createdAt: now, createdBy: by.principal.name };
    await stores.badges.put({ ...whose, tokenHash: secrets.hash(token) });
    await note({ teamId: project.teamId, action: 'badge.show', resource: { type: 'project', id: project.id } });
    return token;
  });
}

/** Withdraws a project's badge. @throws DomainError `not-found`, `forbidden` */
export function hideBadge(ports: ChangePorts, command: InProject): Promise<void> {
  return runProjectChange(ports, command, async ({ stores, project, note }) => {
    if (!(await stores.badges.remove(project.id))) return;
    await note({ teamId: project.teamId, action: 'badge.hide', resource: { type: 'project', id: project.id } });
  });
}

interface ReadBadge {
  readonly teamId: string;
  readonly projectId: string;
  /** null: none was shown. */
  readonly token: string | null;
}

/**
 * The badge of a project's active release, for anybody who has the token.
 * @throws DomainError `not-found`, the same for a project that is unknown, shows no badge, or has another token
 */
export async function readBadge(
  { stores, clock, secrets }: Pick<Ports, 'stores' | 'clock' | 'secrets'>,
  { teamId, projectId, token }: ReadBadge,
): Promise<Badge> {
  const optIn = token === null ? undefined : await stores.badges.ofProject(projectId);
  if (token === null || optIn?.tokenHash !== secrets.hash(token)) throw notFound('project');
  const project = await stores.projects.byId(projectId);
  if (project?.teamId !== teamId) throw notFound('project');
  const active = await stores.releases.activeOf(projectId);
  const [inputs] = active === undefined ? [] : await stores.facts.factsFor([active.id]);
  if (inputs === undefined) return NO_RELEASE_BADGE;
  return badgeOf(inputs.release.name, liveReport(inputs, clock()));
}
