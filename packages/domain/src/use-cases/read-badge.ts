import { type Badge, badgeOf, NO_RELEASE_BADGE } from '../badge/badge.js';
import { notFound } from '../errors.js';
import type { Ports } from '../ports.js';
import { liveReport } from '../release/live-report.js';

export interface ReadBadge {
  readonly teamId: string;
  readonly projectId: string;
  /** null: none was shown. */
  readonly token: string | null;
}

/**
 * The badge of a project's active release, for anybody who has the token.
 * @throws DomainError `not-found`, the same for a project that is unknown, shows no badge, or has another token
 */
export const readBadge =
  ({ stores, clock, secrets }: Pick<Ports, 'stores' | 'clock' | 'secrets'>) =>
  async ({ teamId, projectId, token }: ReadBadge): Promise<Badge> => {
    const optIn = token === null ? undefined : await stores.badges.ofProject(projectId);
    if (token === null || optIn?.tokenHash !== secrets.hash(token)) throw notFound('project');
    const project = await stores.projects.byId(projectId);
    if (project?.teamId !== teamId) throw notFound('project');
    const active = await stores.releases.activeOf(projectId);
    const [dossier] = active === undefined ? [] : await stores.facts.factsFor([active.id]);
    if (dossier === undefined) return NO_RELEASE_BADGE;
    return badgeOf(dossier.release.name, liveReport(dossier, clock()));
  };
