import type { Lookups } from '../ports.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';

/** What a release is judged by: of a shipped one what its frozen report was made of, as of then. One coalesced read, two when it has shipped. */
export const judgedDossier = async (
  lookups: Pick<Lookups, 'dossier' | 'frozen'>,
  releaseId: string,
): Promise<ReleaseDossier | undefined> => {
  const dossier = await lookups.dossier(releaseId);
  if (dossier?.release.state !== 'shipped') return dossier;
  const frozen = await lookups.frozen(releaseId);
  if (frozen === undefined) return dossier;
  const { facts, policy, waivers, frozenAt } = frozen;
  return { ...dossier, facts, policy, waivers, revision: { ...dossier.revision, changedAt: frozenAt } };
};
