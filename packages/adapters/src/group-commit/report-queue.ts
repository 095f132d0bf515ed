import type { ReportEntry, ReportOutcome, ReportQueue, ReportStore } from '@shipworthy/domain';
import { type GroupCommitOptions, groupCommit } from './group-commit.js';

/** A queue that can be waited for when the service stops. */
export interface DrainableReportQueue extends ReportQueue {
  /** Resolves when every report that was handed in has its answer. */
  drain(): Promise<void>;
}

/** Stores reports in groups: one transaction for all that arrived while the one before was under way. */
export const reportQueue = (store: ReportStore, options: GroupCommitOptions = {}): DrainableReportQueue =>
  groupCommit<ReportEntry, ReportOutcome>((entries) => store.record(entries), options);
