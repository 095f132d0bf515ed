import type { Instant } from '../instant.js';
import type { FrozenReport } from '../readiness/frozen-report.js';
import type { ReadinessReport } from '../readiness/readiness-report.js';
import type { Knowledge, RecordedPoint } from './history-store.js';
import { liveReport } from './live-report.js';
import type { Release } from './release.js';
import type { ReleaseDossier } from './release-facts-store.js';

/** A release's report as it was known at a moment, with the names of that time. */
export interface KnownReport {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Pick<Release, 'id' | 'name' | 'state'>;
  readonly report: ReadinessReport;
  /** What the report is computed from, the report's `asOf` beside it. */
  readonly basis: Pick<ReleaseDossier, 'facts' | 'policy' | 'waivers'>;
  /** When the release shipped, if it had by then. */
  readonly frozenAt: Instant | null;
  /** What had become known by then. */
  readonly knowledge: Knowledge;
}

/** The dossier as a point shows it; null: the point does not keep what it was made of. */
export const dossierOfPoint = (dossier: ReleaseDossier, { at, revision, snapshot }: RecordedPoint) =>
  snapshot === null
    ? null
    : ({
        release: { ...dossier.release, ...snapshot.release },
        project: { ...dossier.project, ...snapshot.project },
        facts: snapshot.facts,
        policy: snapshot.policy,
        waivers: snapshot.waivers,
        revision: { revision, changedAt: at },
      } satisfies ReleaseDossier);

/** The report that a dossier yields at a moment. */
export const knownReport = (dossier: ReleaseDossier, at: Instant): KnownReport => ({
  ...whose(dossier),
  report: liveReport(dossier, at),
  basis: dossier,
  frozenAt: null,
  knowledge: { revision: dossier.revision.revision, at },
});

/** The report a release shipped with, from then on. */
export const knownFrozen = (dossier: ReleaseDossier, frozen: FrozenReport): KnownReport => ({
  ...whose(dossier),
  report: frozen.report,
  basis: frozen,
  frozenAt: frozen.frozenAt,
  knowledge: { revision: frozen.revision ?? dossier.revision.revision, at: frozen.frozenAt },
});

const whose = ({ project, release }: ReleaseDossier) => ({
  project: { id: project.id, name: project.name },
  release: { id: release.id, name: release.name, state: release.state },
});
