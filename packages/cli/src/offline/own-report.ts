import type { ReadinessReport } from '@shipworthy/client';
import { judgementForm, type ReadinessReport as Report } from '@shipworthy/domain/readiness';

/** A report that was computed here: as the service's, but of no project and release. */
export type OwnReport = Omit<ReadinessReport, 'project' | 'release' | 'frozen_at'>;

/** The report in the form the service answers it in. */
export const ownReport = (report: Report): OwnReport => {
  const { axes, ...judged } = judgementForm(report);
  // Which facts go with which axis is told by the axis alone, which the type of the union cannot follow.
  return { as_of: new Date(report.asOf).toISOString(), ...judged, axes: axes as unknown as ReadinessReport['axes'] };
};
