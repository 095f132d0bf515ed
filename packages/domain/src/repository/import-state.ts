import type { ErrorCode } from '../errors.js';
import { isClosed, type Release } from '../release/release.js';
import type { Instant } from '../time.js';
import type { ClaimedConnection } from './connection.js';
import type { HostBudget } from './host.js';
import type { LinkSettings, RepositoryLink } from './link.js';

/** The stages of an import, in this order. `gone`: checks issues that may have been removed at the host. */
export const IMPORT_STAGES = ['milestones', 'issues', 'gone', 'deployments', 'open_deployments', 'test_runs'] as const;
export type ImportStage = (typeof IMPORT_STAGES)[number];

/** How far a stage has been read completely. */
export interface ReadMark {
  /** The newest change seen, on the host's clock. */
  readonly since: Instant | null;
  readonly validator: string | null;
}

/** How far an import has come; after a restart it goes on from here. */
export interface ImportCheckpoint {
  /** null: no run is under way. */
  readonly stage: ImportStage | null;
  /** Continues the stage; null: at its beginning. */
  readonly page: string | null;
  /** The mark of the present stage so far; it becomes one of `marks` when the stage is complete. */
  readonly reading: ReadMark | null;
  readonly marks: { readonly [stage in ImportStage]?: ReadMark };
}

/** How many rows were read. */
export interface ImportCounts {
  readonly milestones: number;
  readonly issues: number;
  readonly deployments: number;
  readonly testRuns: number;
}

/** Why the last attempt did not go through. */
export interface ImportFailure {
  /** `internal`: a fault of the service itself. */
  readonly code: ErrorCode | 'internal';
  readonly message: string;
  readonly at: Instant;
  /** How many attempts in a row. */
  readonly attempts: number;
}

/** The import of one linked repository. */
export interface ImportState {
  readonly linkId: string;
  /** When the next step is due. */
  readonly dueAt: Instant;
  readonly checkpoint: ImportCheckpoint;
  /** When the run under way began; null between runs. */
  readonly startedAt: Instant | null;
  /** When a run was last completed: the imported data is as of then. null: no run has been completed yet. */
  readonly completedAt: Instant | null;
  /** When all imported issues were last looked for. */
  readonly goneCheckedAt: Instant | null;
  /** Issues that a notice says may be gone, looked for by the next run. */
  readonly suspectIssueIds: readonly string[];
  /**
   * Open releases that began to follow a milestone a short time ago, or whose repository was linked again with other settings for
   * issues: not all of their issues were read since.
   */
  readonly pendingReleaseIds: readonly string[];
  /** Rows of the present run, or of the last one. */
  readonly counts: ImportCounts;
  readonly failure: ImportFailure | null;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Most suspects kept at a time; the daily check of all imported issues finds the others. */
export const MOST_SUSPECTS = 1000;

/** How long after a run the next one is due, in milliseconds, unless a delivery or a person requests one earlier. */
export const RUN_EVERY = 5 * MINUTE;

/**
 * The shortest time from the end of a run to a run that deliveries cause, in milliseconds: each run costs requests to
 * the host.
 */
export const LEAST_PAUSE = 10_000;

/** When a delivery makes a link due: now, but at the earliest `LEAST_PAUSE` after the link's last attempt. */
export const dueByDelivery = ({ completedAt, failure }: ImportState, now: Instant): Instant =>
  Math.max(now, Math.max(completedAt ?? 0, failure?.at ?? 0) + LEAST_PAUSE);

/** What was requested of an import, also while a worker runs it. */
interface ImportRequests extends Pick<ImportState, 'dueAt' | 'suspectIssueIds'> {
  /** Whether the import was made due again during the run under way. */
  readonly rerunRequested: boolean;
}

/**
 * Returns the requests to store when a worker that read `seen` saves `next` at `now`: those of `next`, and those that
 * came into `stored` in between. A run that goes on stays behind the imports that have waited longer; a request made
 * during the run counts once it is over, `LEAST_PAUSE` later at the earliest, or at once when its attempt failed.
 */
export const keptRequests = (
  stored: ImportRequests,
  next: ImportState,
  seen: ImportState,
  now: Instant,
): ImportRequests => {
  const isEarlier = stored.dueAt < seen.dueAt;
  const isOver = next.startedAt === null;
  const goesOn = !isOver && next.failure === null;
  const asked = isOver ? Math.max(stored.dueAt, now + LEAST_PAUSE) : stored.dueAt;
  const known = new Set(seen.suspectIssueIds);
  const added = stored.suspectIssueIds.filter((id) => !known.has(id));
  return {
    dueAt: (isEarlier && !goesOn) || (isOver && stored.rerunRequested) ? Math.min(asked, next.dueAt) : next.dueAt,
    suspectIssueIds: [...new Set([...next.suspectIssueIds, ...added])],
    rerunRequested: !isOver && (stored.rerunRequested || isEarlier),
  };
};

/** How often all imported issues are looked up at the host, in milliseconds: once a day. */
const LOOK_FOR_GONE_EVERY = DAY;

/** How far back deployments that had not ended are read again, in milliseconds: 7 days. */
export const FOLLOW_DEPLOYMENTS_FOR = 7 * DAY;

/** After this many failures in a row a stage starts again from its first page: the host may have forgotten the page. */
const ATTEMPTS_PER_PAGE = 12;

/**
 * When to try again after the given number of failures in a row: as soon as the host allows when it said so (a day at
 * most), else after 1, 2, 4 ... minutes, an hour at most.
 */
export const retryDue = (now: Instant, attempts: number, retryAt: Instant | null): Instant => {
  if (retryAt !== null) return Math.min(Math.max(retryAt, now + 1), now + DAY);
  return now + Math.min(HOUR, MINUTE * 2 ** Math.min(attempts - 1, 6));
};

/** The moment until which not to ask the host, because less than a tenth of its budget is left; null: no pause. */
export const budgetPausedUntil = (budget: HostBudget | null, now: Instant): Instant | null => {
  if (budget === null || budget.remaining * 10 >= budget.limit) return null;
  return budget.resetAt > now ? Math.min(budget.resetAt, now + DAY) : null;
};

/** Checks whether to look up all imported issues at the host; never in the first run, which has just read them. */
export const isGoneCheckDue = ({ goneCheckedAt, completedAt }: ImportState, now: Instant): boolean =>
  completedAt !== null && (goneCheckedAt === null || now - goneCheckedAt >= LOOK_FOR_GONE_EVERY);

/** How far a stage is after one more page. */
export interface StageProgress
  extends Pick<ImportCheckpoint, 'marks'>,
    Partial<Pick<ImportState, 'goneCheckedAt' | 'suspectIssueIds' | 'pendingReleaseIds'>> {
  /** Continues the stage; null: it is complete. */
  readonly next: string | null;
  /** What the stage will have read when it is complete; null: its mark stays. */
  readonly reading: ImportCheckpoint['reading'];
}

const NO_COUNTS: ImportCounts = { milestones: 0, issues: 0, deployments: 0, testRuns: 0 };

const isAsked = (stage: ImportStage, { milestones, deployments, testRuns }: LinkSettings): boolean => {
  if (stage === 'milestones') return milestones !== 'none';
  if (stage === 'deployments' || stage === 'open_deployments') return deployments;
  return stage !== 'test_runs' || testRuns !== 'none';
};

const stageAfter = (stage: ImportStage | null, settings: LinkSettings): ImportStage | null => {
  const later = stage === null ? IMPORT_STAGES : IMPORT_STAGES.slice(IMPORT_STAGES.indexOf(stage) + 1);
  return later.find((each) => isAsked(each, settings)) ?? null;
};

/** Returns the state with a run under way; begins a new run when there is none. */
export const runningState = (state: ImportState, settings: LinkSettings, now: Instant): ImportState => {
  if (state.checkpoint.stage !== null) return state;
  const checkpoint = { ...state.checkpoint, stage: stageAfter(null, settings), page: null, reading: null };
  return { ...state, checkpoint, startedAt: now, counts: NO_COUNTS };
};

const counted = (counts: ImportCounts, more: Partial<ImportCounts>): ImportCounts => ({
  milestones: counts.milestones + (more.milestones ?? 0),
  issues: counts.issues + (more.issues ?? 0),
  deployments: counts.deployments + (more.deployments ?? 0),
  testRuns: counts.testRuns + (more.testRuns ?? 0),
});

/** The state after a page of the present stage; after the last page of the last stage the run is complete at `now`. */
export const afterPage = (
  state: ImportState,
  settings: LinkSettings,
  { next, reading, marks, ...changes }: StageProgress,
  rows: Partial<ImportCounts>,
  now: Instant,
): ImportState => {
  const { stage } = state.checkpoint;
  // Due at `now` at the earliest, behind the imports that have waited longer: a run of thousands of pages must not hold
  // them up.
  const dueAt = Math.max(state.dueAt, now);
  const read = { ...state, ...changes, dueAt, counts: counted(state.counts, rows), failure: null };
  if (next !== null) return { ...read, checkpoint: { stage, page: next, reading, marks } };
  // No release is pending any more: when one begins to follow a milestone, the same run reads all issues again.
  const on = stage === 'issues' ? { ...read, pendingReleaseIds: [] } : read;
  const complete = stage === null || reading === null ? marks : { ...marks, [stage]: reading };
  const following = stageAfter(stage, settings);
  const checkpoint = { stage: following, page: null, reading: null, marks: complete };
  if (following !== null) return { ...on, checkpoint };
  return { ...on, checkpoint, startedAt: null, completedAt: now, dueAt: now + RUN_EVERY };
};

/**
 * The state after a failed attempt. The run goes on from its last page; after every 12 failures in a row its stage
 * starts again.
 */
export const stateAfterFailure = (
  state: ImportState,
  { code, message }: Pick<ImportFailure, 'code' | 'message'>,
  now: Instant,
  dueAt: Instant,
): ImportState => {
  const attempts = (state.failure?.attempts ?? 0) + 1;
  const again = attempts % ATTEMPTS_PER_PAGE === 0 ? { page: null, reading: null } : {};
  const checkpoint = { ...state.checkpoint, ...again };
  return { ...state, checkpoint, dueAt, failure: { code, message, at: now, attempts } };
};

/**
 * The import of a link that was just made: it begins from nothing, at once. `pendingReleaseIds`: the releases that are
 * pending from the beginning.
 */
export const freshImport = (
  linkId: string,
  now: Instant,
  pendingReleaseIds: ImportState['pendingReleaseIds'] = [],
): ImportState => ({
  linkId,
  dueAt: now,
  checkpoint: { stage: null, page: null, reading: null, marks: {} },
  startedAt: null,
  completedAt: null,
  goneCheckedAt: null,
  suspectIssueIds: [],
  pendingReleaseIds,
  counts: { milestones: 0, issues: 0, deployments: 0, testRuns: 0 },
  failure: null,
});

/**
 * The releases whose issues are known only in part after milestones changed `before` to `after`: of the open releases those
 * that were `pending`, and those that follow another milestone than before, or none any more: their issues leave page by page.
 * Releases that follow the same milestone as before stay complete.
 */
export const pendingReleases = (
  pending: readonly string[],
  before: readonly Release[],
  after: readonly Release[],
): readonly string[] => {
  const followed = new Map(before.map(({ id, externalId }) => [id, externalId]));
  const isPending = ({ id, externalId }: Release): boolean =>
    pending.includes(id) || (followed.get(id) ?? null) !== externalId;
  return after.filter((release) => !isClosed(release) && isPending(release)).map(({ id }) => id);
};

/** A link with the state of its import. */
export interface LinkedRepository {
  readonly link: RepositoryLink;
  readonly state: ImportState;
}

/** The repository from which a project's imported records come. */
export interface RepositoryOrigin {
  readonly host: string;
  readonly repositoryId: string;
}

export interface RepositoryLinkStore {
  /**
   * Links the project in place of its former link; keeps the moment since which its issues are stale. Marks the
   * releases that become pending, or are no longer pending, as changed at `linkedAt`.
   */
  put(linked: LinkedRepository): Promise<void>;
  ofProject(projectId: string): Promise<LinkedRepository | undefined>;
  /** The repository the project was last linked to, whether it still is or not; undefined: it never was. */
  lastOf(projectId: string): Promise<RepositoryOrigin | undefined>;
  byId(linkId: string): Promise<LinkedRepository | undefined>;
  /** All links whose repositories are read with that connection, sorted by id. */
  ofConnection(connection: { readonly userId: string; readonly host: string }): Promise<readonly LinkedRepository[]>;
  /**
   * Removes the link if the project still has it; its issues, releases and records stay. Marks as changed at `at`: all
   * releases of the project if its issues were stale, and those that were pending.
   */
  remove(linkId: string, at: Instant): Promise<boolean>;
  /** The link of that connection that has been due longest at `now`. */
  dueOf(
    connection: { readonly userId: string; readonly host: string },
    now: Instant,
  ): Promise<LinkedRepository | undefined>;
  /**
   * Stores the state of an import and the current name of the repository; false, and nothing stored, when another
   * worker holds the claim now or the link is gone. Suspects and an earlier due moment that arrived since `seen` are
   * kept. If the link was made due during a run that is now over (`startedAt` null), it is due again at that moment,
   * but `LEAST_PAUSE` after `now` at the earliest (`keptRequests`). Marks the releases that become pending, or are no
   * longer pending, as changed at `now`.
   */
  save(claim: ClaimedConnection, linked: LinkedRepository, seen: ImportState, now: Instant): Promise<boolean>;
  /**
   * Makes the link due at `dueAt`, and adds suspects. A link that is due by then already becomes due a millisecond
   * earlier, so that `save` notices the request.
   */
  hurryLink(linkId: string, dueAt: Instant, suspectIssueIds?: readonly string[]): Promise<void>;
  /**
   * Stores as of when the project's issues are known while the host cannot be read. null: they are current; passed only
   * after a complete run. Marks the project's releases as changed at `now` if that moment changes.
   */
  setIssuesAsOf(projectId: string, asOf: Instant | null, now: Instant): Promise<void>;
  /** Remembers a delivery; false when it was remembered before. */
  receive(host: string, deliveryId: string, at: Instant): Promise<boolean>;
  /** Removes deliveries received before the moment; returns how many. */
  removeDeliveries(before: Instant): Promise<number>;
}
