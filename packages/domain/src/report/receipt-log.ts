import type { Attribution, NotCountedReason } from '../attribution/attribution.js';
import { notCountedReason } from '../attribution/not-counted.js';
import type { ReportEntry } from './report-store.js';

/** A record that pipelines report. */
export type RecordKind = Exclude<ReportEntry['kind'], 'finish'>;

/** Hears of every report that was accepted but counts for no release. It is quick and never fails. */
export interface ReceiptLog {
  notCounted(kind: RecordKind, reason: NotCountedReason): void;
}

/** Tells the log what the receipt of a new record says. */
export const logReceipt = (log: ReceiptLog, kind: RecordKind, attribution: Attribution): void => {
  const reason = notCountedReason(attribution);
  if (reason !== null) log.notCounted(kind, reason);
};

/** A log that keeps what it is told until it is known that the records stay. */
export interface HeldReceipts extends ReceiptLog {
  /** Passes it all on. */
  release(): void;
}

/** Holds back what would be told to the log. */
export const heldReceipts = (log: ReceiptLog): HeldReceipts => {
  let held: (readonly [RecordKind, NotCountedReason])[] = [];
  return {
    notCounted: (kind, reason) => void held.push([kind, reason]),
    release() {
      const told = held;
      held = [];
      for (const [kind, reason] of told) log.notCounted(kind, reason);
    },
  };
};
