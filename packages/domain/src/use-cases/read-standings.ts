import type { Ports } from '../ports.js';
import { type KeptStandings, type KnownStanding, standingOf, stillStands } from '../release/standing.js';

/**
 * The standings of releases by their ids, without those that are gone. Two queries for any number of releases, the second
 * one only for those that changed since their standing was kept.
 */
export const readStandings =
  ({ stores, clock, slices }: Pick<Ports, 'stores' | 'clock' | 'slices'>, kept: KeptStandings) =>
  async (releaseIds: readonly string[]): Promise<ReadonlyMap<string, KnownStanding>> => {
    const revisions = await stores.facts.revisions(releaseIds);
    const now = clock();
    const standings = new Map<string, KnownStanding>();
    const moved: string[] = [];
    for (const [index, id] of releaseIds.entries()) {
      const known = kept.get(id);
      if (known !== undefined && stillStands(known, revisions[index]?.revision, now)) standings.set(id, known);
      else moved.push(id);
    }
    if (moved.length === 0) return standings;
    const dossiers = await stores.facts.factsFor(moved);
    await slices.map(dossiers, (dossier) => {
      if (dossier === undefined) return;
      const { id } = dossier.release;
      const standing = standingOf(dossier, clock());
      standings.set(id, standing);
      // A slower reading of an older revision must not push out a newer one.
      if ((kept.get(id)?.revision ?? 0) <= standing.revision) kept.set(id, standing);
    });
    return standings;
  };
