import { DomainError, notFound } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';
import type { ReadinessReport } from '../readiness/readiness-report.js';
import { liveReport, readsUntil } from '../release/live-report.js';
import type { Release } from '../release/release.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';
import { findDossier } from './find-dossier.js';
import { findProject, type ProjectPath } from './in-project.js';

export interface ReadReadiness extends ProjectPath {
  /** null: the project's active release. */
  readonly releaseId: string | null;
  /** `live`: as it reads now, shipped or not; `frozen`: as it shipped; null: frozen once it shipped. */
  readonly view: 'live' | 'frozen' | null;
}

/** A release's report with whose it is and how long it stays true. */
export interface Readiness {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Release;
  readonly report: ReadinessReport;
  /** What the report is computed from, the report's `asOf` beside it. */
  readonly basis: Pick<ReleaseDossier, 'facts' | 'policy' | 'waivers'>;
  /** null: a live report. */
  readonly frozenAt: Instant | null;
  /** The release's revision the report was read at. */
  readonly revision: number;
  /** The first moment at which it changes by time alone; null: it changes by nothing but a new revision. */
  readonly until: Instant | null;
}

/**
 * The readiness report of a release: frozen once it shipped, else live.
 * @throws DomainError `not-found`, also for the frozen report of a release that has not shipped; `no-active-release` when none is named and none is active
 */
export const readReadiness =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async (command: ReadReadiness): Promise<Readiness> => {
    const dossier = await dossierOf(stores, command);
    const { release, project, revision } = dossier;
    const whose = { project: { id: project.id, name: project.name }, release, revision: revision.revision };
    const wantsFrozen = release.state === 'shipped' && command.view !== 'live';
    const frozen = wantsFrozen ? await stores.releases.frozen(release.id) : undefined;
    if (frozen !== undefined)
      return { ...whose, report: frozen.report, basis: frozen, frozenAt: frozen.frozenAt, until: null };
    if (command.view === 'frozen') throw notFound('frozen report');
    const now = clock();
    const report = liveReport(dossier, now);
    return { ...whose, report, basis: dossier, frozenAt: null, until: readsUntil(dossier, now) };
  };

const dossierOf = async (stores: Stores, { releaseId, ...path }: ReadReadiness): Promise<ReleaseDossier> =>
  findDossier(stores, { ...path, releaseId: releaseId ?? (await activeReleaseId(stores, path)) });

const activeReleaseId = async (stores: Stores, path: ProjectPath): Promise<string> => {
  await findProject(stores, path);
  const active = await stores.releases.activeOf(path.projectId);
  if (active === undefined) throw new DomainError('no-active-release', 'No release of this project is active.');
  return active.id;
};
