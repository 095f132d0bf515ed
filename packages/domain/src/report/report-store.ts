import type { IdempotentRequest, RememberedReply } from '../access/idempotency-store.js';
import type { Deployment, FinalStatus } from '../deployment/deployment.js';
import type { Instant } from '../instant.js';
import type { TestRun } from '../test-run/test-run.js';

/** An answer to remember in the transaction that stores the record. */
export interface Remembered {
  readonly request: IdempotentRequest;
  readonly reply: RememberedReply;
}

/** What a pipeline reported, ready to be stored. */
export type ReportEntry =
  | {
      readonly kind: 'deployment';
      readonly deployment: Deployment;
      readonly remember: Remembered | null;
      /**
       * Whether `createdAt` says when it arrived. Where a release that it falls in has shipped since then, it is stored with
       * the moment of shipping, so that it never seems to have been there in time. Missing: `createdAt` stays as it is.
       */
      readonly arrives?: boolean;
    }
  | {
      readonly kind: 'finish';
      readonly deploymentId: string;
      readonly status: FinalStatus;
      readonly finishedAt: Instant;
      /** When the service learned of it. */
      readonly at: Instant;
      /** null: what was reported before stays. */
      readonly durationSeconds: number | null;
      /** Whether `finishedAt` says when it arrived; it is moved like `createdAt` of a deployment that arrives. */
      readonly arrives?: boolean;
    }
  | {
      readonly kind: 'test_run';
      readonly testRun: TestRun;
      readonly remember: Remembered | null;
      /** Whether it is stored although its release is closed: it ran while that one was active. Missing: it is refused then. */
      readonly afterwards?: boolean;
    };

/** A release that the deployment falls in had shipped when it was stored: a receipt that was made before may be wrong. Only of those that arrive. */
type Late = true;

/** What became of one entry, after the commit. */
export type ReportOutcome =
  | { readonly result: 'created'; readonly late?: Late }
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
  /** It was final already; `deployment` is the record as it stands. */
  | { readonly result: 'already_final'; readonly deployment: Deployment }
  /** There is no such deployment, or nothing any more that the record would belong to: nothing was stored. */
  | { readonly result: 'not_found' }
  /** This entry alone could not be stored; the reason is a bug, never the other entries. */
  | { readonly result: 'failed'; readonly error: Error };

/**
 * Stores what pipelines report. One transaction per call: idempotency keys (sorted), rows, daily counts (in key order),
 * revisions of the releases that changed. All or, for entries that alone are bad, all the others.
 * Outcomes come in the order of the entries and are those of recording one entry after the other: a later entry meets
 * the keys, external ids and states the earlier ones left. First the key is looked at, then the external id, then
 * the release's state; a key is remembered only with a record that was created. External ids are unique per project and kind of record.
 * A change's moment is `createdAt` of a deployment, `at` of a finish, `recordedAt` of a test run. Throws DomainError `unavailable` when nothing could be stored.
 */
export interface ReportStore {
  record(entries: readonly ReportEntry[]): Promise<readonly ReportOutcome[]>;
}

/** One entry at a time, answered after its commit; entries that arrive together are stored together. */
export interface ReportQueue {
  submit(entry: ReportEntry): Promise<ReportOutcome>;
}
