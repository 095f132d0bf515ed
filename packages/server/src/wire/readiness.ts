import type {
  GateReport,
  HistoryPoint as WireHistoryPoint,
  ReadinessReport as WireReport,
} from '@shipworthy/client/contract';
import type { HistoryPoint, Instant, ReadinessReport, Release } from '@shipworthy/domain';
import { wireReading } from './axis-reading.js';
import { wireGate } from './gate.js';
import { wireMoment } from './moment.js';
import { wireSilentSource } from './silent-source.js';

/** Whose judgement a report is. */
export interface Judged {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Pick<Release, 'id' | 'name' | 'state'>;
  /** When the release shipped, in the report frozen then; null: the live one. */
  readonly frozenAt: Instant | null;
  readonly report: ReadinessReport;
}

const times = ({ report, frozenAt }: Judged) => ({
  as_of: wireMoment(report.asOf),
  ...(frozenAt === null ? {} : { frozen_at: wireMoment(frozenAt) }),
});

/** The whole report. */
export const wireReport = (judged: Judged): WireReport => {
  const { project, release, report } = judged;
  return {
    project: { id: project.id, name: project.name },
    release: { id: release.id, name: release.name, state: release.state },
    ...times(judged),
    formula: report.formula,
    score: report.score,
    coverage: report.coverage,
    axes: report.axes.map(wireReading),
    gate: wireGate(report.gate),
    silent_sources: (report.silentSources ?? []).map(wireSilentSource),
  };
};

/** The ship gate alone. */
export const wireGateReport = (judged: Judged): GateReport => ({ ...times(judged), ...wireGate(judged.report.gate) });

/** One point of the trend. */
export const wireHistoryPoint = (point: HistoryPoint): WireHistoryPoint => ({
  at: wireMoment(point.at),
  score: point.score,
  coverage: point.coverage,
  decision: point.decision,
  axes: point.axes.map(({ axis, score }) => ({ axis, score })),
  causes: point.causes.map(({ kind, id, at }) => ({ kind, id, at: wireMoment(at) })),
  cause_count: point.causeCount,
});
