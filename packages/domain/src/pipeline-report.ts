import type { IdempotentRequest, RememberedReply } from './access/ports.js';
import type { Author } from './access/principal.js';
import { type Attribution, type DeploymentView, type NotCountedReason, notCountedReason } from './attribution.js';
import type { Deployment, FinalStatus } from './deployment.js';
import { DomainError, notFound } from './errors.js';
import type { TestRun } from './test-run.js';
import type { Instant } from './time.js';

/** A request with an idempotency key and its answer, stored in the transaction that stores the record. */
export interface Remembered {
  readonly request: IdempotentRequest;
  readonly reply: RememberedReply;
}

/** What a pipeline reported, ready to be stored. */
export type ReportEntry = {
  /** Who reported it; missing: the author of the transaction. */
  readonly by?: Author;
} & (
  | {
      readonly kind: 'deployment';
      readonly deployment: Deployment;
      readonly remember: Remembered | null;
      /**
       * Whether `createdAt` is when it arrived. If a release whose window holds its start has shipped when it is
       * stored, `createdAt` is moved to that shipping: the frozen report does not know it. Missing: it stays as it is.
       */
      readonly isArrivalTime?: boolean;
      /**
       * The releases whose windows held its start when its receipt was made; if others do by now, it is late. Missing:
       * there is no receipt.
       */
      readonly releaseIds?: readonly string[];
      /**
       * Makes the answer that is remembered instead if the deployment is late: the one in `remember` is untrue then.
       * Missing: that one is remembered.
       */
      readonly replyIfLate?: ((stored: DeploymentView) => RememberedReply) | undefined;
      /**
       * Whether it may only repeat a stored one: where neither its key nor its external id is known, it is `not_found` and
       * nothing is stored. Missing: it may be new.
       */
      readonly mustBeKnown?: boolean;
    }
  | {
      readonly kind: 'finish';
      readonly deploymentId: string;
      readonly status: FinalStatus;
      readonly finishedAt: Instant;
      /** When the service learned that the deployment finished. */
      readonly at: Instant;
      /** null: the recorded duration stays. */
      readonly durationSeconds: number | null;
      /**
       * Whether the service learns of the end by this entry, also where `finishedAt` is an earlier moment that the sender
       * gave. Then `finishedAt` is moved like the `createdAt` of a deployment.
       */
      readonly isArrivalTime?: boolean;
    }
  | {
      readonly kind: 'test_run';
      readonly testRun: TestRun;
      readonly remember: Remembered | null;
      /** Whether it is stored in a closed release that was active when it ran. Missing: it is refused then. */
      readonly allowClosedRelease?: boolean;
    }
);

/**
 * Set when a receipt that was made before may be wrong: a release whose window holds the deployment's start had shipped
 * when it was stored, or other releases hold its start. Only for entries with `isArrivalTime` or `releaseIds`.
 */
type Late = true;

/** The result of one entry, after the commit. */
export type ReportOutcome =
  | {
      readonly result: 'created';
      readonly late?: Late;
      /** A late deployment as its remembered answer shows it. Only for entries with `replyIfLate`. */
      readonly view?: DeploymentView;
    }
  /** The external id is known with the same content: nothing was stored. */
  | { readonly result: 'duplicate'; readonly id: string }
  /** The external id is known with other content: nothing was stored. */
  | { readonly result: 'external_id_conflict'; readonly id: string }
  /** The release closed before the run arrived: nothing was stored. */
  | { readonly result: 'release_closed'; readonly releaseId: string }
  /** The idempotency key has its answer already: nothing was stored. */
  | { readonly result: 'replayed'; readonly reply: RememberedReply }
  /** The idempotency key was used for another request: nothing was stored. */
  | { readonly result: 'key_reused' }
  /** This entry finished the deployment. */
  | { readonly result: 'finished'; readonly deployment: Deployment; readonly late?: Late }
  /** It was final already; `deployment` is the stored record. */
  | { readonly result: 'already_final'; readonly deployment: Deployment }
  /** There is no such deployment, also for `mustBeKnown`, or its project or release was removed: nothing was stored. */
  | { readonly result: 'not_found' }
  /** This entry alone could not be stored; the reason is a bug, never the other entries. */
  | { readonly result: 'failed'; readonly error: Error };

/**
 * Stores what pipelines report. One transaction per call: idempotency keys (sorted), rows, daily counts (in key order),
 * revisions of the releases that changed. An entry that cannot be stored does not keep the others from being stored.
 * Outcomes come in the order of the entries, as if one was recorded after the other: a later entry meets the keys,
 * external ids and states that the earlier ones left. First the key is looked at, then the external id, then the
 * release's state; a key is remembered only with a record that was created. External ids are unique per project and
 * kind of record.
 * A change's moment is `createdAt` of a deployment, `at` of a finish, `recordedAt` of a test run. Throws DomainError
 * `unavailable` when nothing could be stored.
 */
export interface ReportStore {
  record(entries: readonly ReportEntry[]): Promise<readonly ReportOutcome[]>;
}

/** Takes one entry and answers after its commit; entries that arrive together are stored together. */
export interface ReportQueue {
  submit(entry: ReportEntry): Promise<ReportOutcome>;
}

/** A report that may be repeated: the request, and the answer to remember once the view of the record is known. */
export interface RepeatableReport<View> {
  readonly request: IdempotentRequest;
  reply(view: View): RememberedReply;
}

/** The answer to a repeated request, which is not carried out again. */
export type Repeated =
  | { readonly outcome: 'replayed'; readonly reply: RememberedReply }
  | { readonly outcome: 'key_reused' };

/** The result of one report for its sender. */
export type Reported<View> = { readonly outcome: 'created' | 'duplicate'; readonly view: View } | Repeated;

/** Returns the answer to store with the record; null: the report cannot be repeated. */
export const remembered = <View>(remember: RepeatableReport<View> | null, view: View): Remembered | null =>
  remember && { request: remember.request, reply: remember.reply(view) };

/** Whether releases had shipped, ended or begun when the deployment was stored, so that its receipt must be read anew. */
export const isLate = (outcome: ReportOutcome): boolean => 'late' in outcome;

/** Whether other releases hold the deployment's start than its receipt says. */
export const releasesDiffer = (said: readonly string[] | undefined, releaseIds: readonly string[]): boolean =>
  said !== undefined && (said.length !== releaseIds.length || said.some((id) => !releaseIds.includes(id)));

/** Makes the refusal of a record whose external id another record has. */
export const externalIdConflict = (id: string): DomainError =>
  new DomainError('external-id-conflict', 'The external id belongs to a record with other content.', { id });

/** What the store made of a new record: created, a duplicate of an older one, or a repeated request. @throws DomainError for what it refused */
export const recordedOrThrow = (
  outcome: ReportOutcome,
): { readonly outcome: 'created' } | { readonly outcome: 'duplicate'; readonly id: string } | Repeated => {
  switch (outcome.result) {
    case 'created':
      return { outcome: 'created' };
    case 'duplicate':
      return { outcome: 'duplicate', id: outcome.id };
    case 'replayed':
      return { outcome: 'replayed', reply: outcome.reply };
    case 'key_reused':
      return { outcome: 'key_reused' };
    case 'external_id_conflict':
      throw externalIdConflict(outcome.id);
    case 'release_closed':
      throw new DomainError('release-closed', 'The release was shipped or canceled.', {
        release_id: outcome.releaseId,
      });
    case 'not_found':
      throw notFound('project');
    case 'failed':
      throw outcome.error;
    default:
      throw new Error(`A new record cannot be answered with ${outcome.result}.`);
  }
};

/** A record that pipelines report. */
type RecordKind = Exclude<ReportEntry['kind'], 'finish'>;

/** Is called with every report that was accepted but counts for no release. Must be quick and must not throw. */
export interface ReceiptLog {
  notCounted(kind: RecordKind, reason: NotCountedReason): void;
}

/** Reports a new record to the log if its receipt says that it counts for no release. */
export const logReceipt = (log: ReceiptLog, kind: RecordKind, attribution: Attribution): void => {
  const reason = notCountedReason(attribution);
  if (reason !== null) log.notCounted(kind, reason);
};

/** A receipt log that holds its entries back until it is certain that their records are stored. */
interface HeldReceipts extends ReceiptLog {
  /** Passes the held entries to the log. */
  release(): void;
}

/** Makes a receipt log that holds back what it would pass to `log`. */
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

/** The result of one record of an import. */
export type ImportOutcome =
  | { readonly result: 'created' | 'duplicate'; readonly id: string }
  | { readonly result: 'refused'; readonly refusal: DomainError };

/** A record ready to be stored. */
interface PreparedRecord {
  readonly id: string;
  readonly entry: ReportEntry;
  /** Why it is refused unless the store has it already; null or missing: it may be new. */
  readonly refusalIfNew?: DomainError | null;
}

/** A record ready to be stored, or why it is refused. */
export type Prepared = PreparedRecord | { readonly refusal: DomainError };

/** Runs `work` and returns a DomainError that it throws as a refusal. Any other error is a bug and is thrown on. */
export const prepareEntry = (work: () => PreparedRecord): Prepared => {
  try {
    return work();
  } catch (refusal) {
    if (refusal instanceof DomainError) return { refusal };
    throw refusal;
  }
};

const NOT_KNOWN: readonly ReportOutcome['result'][] = ['not_found', 'release_closed'];

const importOutcome = ({ id, refusalIfNew = null }: PreparedRecord, outcome: ReportOutcome): ImportOutcome => {
  if (refusalIfNew !== null && NOT_KNOWN.includes(outcome.result)) return { result: 'refused', refusal: refusalIfNew };
  if (outcome.result === 'failed')
    return { result: 'refused', refusal: new DomainError('unavailable', 'It could not be stored; send it again.') };
  try {
    const done = recordedOrThrow(outcome);
    if (done.outcome === 'duplicate') return { result: 'duplicate', id: done.id };
    return { result: 'created', id };
  } catch (refusal) {
    if (refusal instanceof DomainError) return { result: 'refused', refusal };
    throw refusal;
  }
};

/**
 * Stores the records that are not refused in one transaction; returns the outcomes of all, in order.
 * @throws DomainError `unavailable` when nothing could be stored
 */
export const storePrepared = async (
  reports: ReportStore,
  prepared: readonly Prepared[],
): Promise<readonly ImportOutcome[]> => {
  const good = prepared.flatMap((one) => ('entry' in one ? [one.entry] : []));
  const outcomes = (good.length === 0 ? [] : await reports.record(good)).values();
  return prepared.map((one) => {
    if ('refusal' in one) return { result: 'refused', refusal: one.refusal };
    const { value } = outcomes.next();
    if (value === undefined) throw new Error('The store answered for fewer entries than it was given.');
    return importOutcome(one, value);
  });
};

/** The moments since which all of a project's records are still stored, by kind; null: none was ever removed. */
export interface KeptSince {
  /** By `startedAt`. */
  readonly deployments: Instant | null;
  /** By `ranAt`; those of releases that are planned or active are kept at any age. */
  readonly testRuns: Instant | null;
  /** By `measuredAt`; those of releases that are planned or active are kept at any age. */
  readonly axisReports: Instant | null;
}

/** The number of removed records of one project or, when records of all projects are removed at once, of one team. */
export interface RemovedRecords {
  /** null: of the team's projects together. */
  readonly projectId: string | null;
  readonly teamId: string;
  readonly deployments: number;
  readonly testRuns: number;
  readonly axisReports: number;
}

/** The result of one call of `removeBefore`. */
export interface RemovedPortion {
  readonly removed: readonly RemovedRecords[];
  /** The id of the project to continue with; null: all projects are done. */
  readonly next: string | null;
}

/**
 * Removes old records. What was computed from them stays: daily counts, the results of the latest test runs and reports
 * of own axes, reports, trends and verdicts.
 */
export interface KeptRecordsStore {
  since(projectId: string): Promise<KeptSince>;
  /**
   * Removes records from before the moment, a start of a UTC day, as many as fit in one transaction, beginning with the
   * project `from` (null: the first). Reports of open releases do not change. So deployments stay from the day on in
   * which a planned or active release of their project begins, and so do test runs and reports of own axes of such
   * releases. A store that groups records by when they came may keep some longer.
   */
  removeBefore(before: Instant, from: string | null): Promise<RemovedPortion>;
}
