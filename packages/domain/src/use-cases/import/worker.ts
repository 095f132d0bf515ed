import type { Author } from '../../access/principal.js';
import { DomainError } from '../../errors.js';
import { heldReceipts } from '../../pipeline-report.js';
import type { Ports } from '../../ports.js';
import type { ClaimedConnection } from '../../repository/connection.js';
import type { ConfiguredHost, HostBudget } from '../../repository/host.js';
import {
  afterPage,
  budgetPausedUntil,
  type ImportFailure,
  type ImportStage,
  type LinkedRepository,
  RUN_EVERY,
  retryDue,
  runningState,
  stateAfterFailure,
} from '../../repository/import-state.js';
import type { Instant } from '../../time.js';
import {
  changeConnection,
  endDueFormerGrant,
  endRevokedConnection,
  type HostPorts,
  markIssuesOfLinkStale,
  withAccess,
} from '../host-grant.js';
import { cancelGoneIssues, importIssues } from './issues.js';
import { importMilestones } from './milestones.js';
import { importHostDeployments, importHostTestRuns, importOpenDeployments } from './records.js';
import { ClaimLost, HostFailure, type ImportStep, type ReadStage, repositoryNow, type UnstoredPage } from './step.js';

type ImportPorts = HostPorts & Pick<Ports, 'newId' | 'receipts'>;

export interface ImportFromHost {
  /** How long a connection is kept from other workers, in milliseconds; longer than `pageMs`. */
  readonly leaseMs: number;
  /** How long all questions about one page may take together, in milliseconds. */
  readonly pageMs: number;
}

/**
 * Runs one turn of a worker: claims a connection with due work, ends its grant if it was disconnected, else imports
 * pages of the link that has been due longest, and gives the connection back. When no connection has work, ends a
 * former grant that is due. Safe on many instances at once; continues where a stopped one left off.
 * @returns whether there was something to do
 * @throws errors that are neither the host's fault nor a lost claim, after they were stored as the failure of their
 * link; DomainError `unavailable`
 */
export async function importFromHost(ports: ImportPorts, { leaseMs, pageMs }: ImportFromHost): Promise<boolean> {
  const host = ports.repositoryHost;
  if (host === null) return false;
  const now = ports.clock();
  const claim = await ports.stores.hostConnections.claimWork(host.name, now, leaseMs, ports.newId());
  if (claim === undefined) return endDueFormerGrant(ports);
  const turn = { ports, host, claim, pageMs };
  try {
    if (claim.connection.state !== 'revoking') return await importDue(turn, now + leaseMs - pageMs);
    await endRevokedConnection(ports, claim);
  } catch (error) {
    if (!(error instanceof ClaimLost)) throw error;
  } finally {
    await ports.stores.hostConnections.keepWork(claim, now);
  }
  return true;
}

/**
 * Imports pages of the link that has been due longest, until its run is complete, there is no time for another page, or
 * the budget is low; false: no link is due.
 */
const importDue = async (turn: ImportTurn, lastBegin: Instant): Promise<boolean> => {
  const { stores, clock } = turn.ports;
  let linked = await stores.repositoryLinks.dueOf(turn.claim.connection, clock());
  if (linked === undefined) return false;
  try {
    do {
      const page = await pageOrPath(turn, linked, lastBegin);
      linked = page.linked;
      const paused = budgetPausedUntil(page.budget, clock());
      if (paused !== null) {
        await pauseForBudget(turn, paused);
        return true;
      }
    } while (linked.state.startedAt !== null && clock() <= lastBegin);
  } catch (error) {
    if (error instanceof HostFailure) await noteHostFailure(turn, linked, error);
    else {
      if (isFault(error)) await noteFault(turn, linked);
      throw error;
    }
  }
  return true;
};

/**
 * Imports a page. When nothing is found under the stored path of the repository, it imports none, and returns the link
 * with the present path.
 */
const pageOrPath = async (
  turn: ImportTurn,
  linked: LinkedRepository,
  lastBegin: Instant,
): ReturnType<typeof importPage> => {
  try {
    return await importPage(turn, linked);
  } catch (error) {
    const isMissing = error instanceof HostFailure && error.refusal.code === 'not-found';
    const moved = isMissing && turn.ports.clock() <= lastBegin ? await updateRepositoryPath(turn, linked) : undefined;
    if (moved === undefined) throw error;
    return { linked: moved, budget: null };
  }
};

/**
 * Reads one page, and stores it and the new state of the import in one transaction.
 * @throws HostFailure, ClaimLost; nothing is stored then
 */
async function importPage(
  turn: ImportTurn,
  seen: LinkedRepository,
): Promise<{ readonly linked: LinkedRepository; readonly budget: HostBudget | null }> {
  const { stores, clock } = turn.ports;
  const now = clock();
  const linked = { ...seen, state: runningState(seen.state, seen.link.settings, now) };
  const { stage } = linked.state.checkpoint;
  if (stage === null) throw new Error(`There is nothing to import for the link ${seen.link.id}.`);
  const page = await STAGES[stage]({ stores, linked, now, ask: hostAsker(turn) });
  return { linked: await storePage(turn, seen, linked, page), budget: page.budget };
}

/** A worker's turn with a connection. */
interface ImportTurn {
  readonly ports: ImportPorts;
  readonly host: ConfiguredHost;
  readonly claim: ClaimedConnection;
  /** How long all questions about one page may take together, in milliseconds. */
  readonly pageMs: number;
}

const STAGES: { readonly [stage in ImportStage]: ReadStage } = {
  milestones: importMilestones,
  issues: importIssues,
  gone: cancelGoneIssues,
  deployments: importHostDeployments,
  open_deployments: importOpenDeployments,
  test_runs: importHostTestRuns,
};

const storePage = async (
  { ports, host, claim }: ImportTurn,
  seen: LinkedRepository,
  begun: LinkedRepository,
  page: UnstoredPage,
): Promise<LinkedRepository> => {
  const { link } = begun;
  let receipts = heldReceipts(ports.receipts);
  const stored = await ports.stores.transaction(async (stores): Promise<LinkedRepository> => {
    // The work is repeated after a deadlock: only the receipts of the last time may be released.
    receipts = heldReceipts(ports.receipts);
    await stores.projects.lock(link.projectId);
    const project = await stores.projects.byId(link.projectId);
    if (project === undefined) throw new ClaimLost();
    const now: Instant = ports.clock();
    const step = { stores, link, project, hostTitle: host.title, receipts, now, newId: ports.newId };
    const progress = await page.store(step);
    const state = afterPage(begun.state, link.settings, progress, page.rows, now);
    const next = { link: { ...link, repository: page.repository ?? link.repository }, state };
    if (!(await stores.repositoryLinks.save(claim, next, seen.state, now))) throw new ClaimLost();
    // The issues stay stale if the connection was removed or refused during the read.
    const isRead = (await stores.hostConnections.of(link.userId, link.host))?.state === 'ok';
    if (state.startedAt === null)
      await stores.repositoryLinks.setIssuesAsOf(link.projectId, isRead ? null : state.completedAt, now);
    return next;
  }, hostAuthor(host));
  receipts.release();
  return stored;
};

/** The repository host as the author of what is imported. */
const hostAuthor = ({ title }: ConfiguredHost): Author => ({ kind: 'host', name: title });

const HOST_FAULTS: readonly string[] = ['host-unavailable', 'host-rejected', 'host-not-connected', 'not-found'];

/**
 * Returns a function that asks the host about one page; faults of the host become `HostFailure`. All its questions have
 * one deadline: a page that takes longer than `pageMs` could outlast the claim.
 */
function hostAsker({ ports, host, claim, pageMs }: ImportTurn): ImportStep['ask'] {
  const deadline = ports.clock() + pageMs;
  return async (question) => {
    try {
      return await withAccess(ports, claim.connection, deadline, (access) => question(host.reader, access));
    } catch (error) {
      if (error instanceof DomainError && HOST_FAULTS.includes(error.code)) throw new HostFailure(error);
      throw error;
    }
  };
}

/**
 * Stores the present path of the repository in the link, after nothing was found under the old one. The repository is
 * found by id: hosts give former paths to others. undefined: it still has that path.
 * @throws HostFailure when it cannot be read, ClaimLost
 */
const updateRepositoryPath = async (
  turn: ImportTurn,
  { link, state }: LinkedRepository,
): Promise<LinkedRepository | undefined> => {
  const { stores, clock } = turn.ports;
  const repository = await repositoryNow({ ask: hostAsker(turn), linked: { link, state } });
  if (repository.path === link.repository.path) return undefined;
  const moved = { link: { ...link, repository }, state };
  await stores.transaction(async ({ projects, repositoryLinks }) => {
    await projects.lock(link.projectId);
    if (!(await repositoryLinks.save(turn.claim, moved, state, clock()))) throw new ClaimLost();
  });
  return moved;
};

/** How long a link may wait beyond its due moment before its issues count as stale, in milliseconds: 15 minutes. */
const SHORT_PAUSE = 900_000;

/**
 * Pauses background work with this connection until the moment, or longer if it is paused for longer already. Does nothing
 * when access was approved anew since it was claimed: the limit is not that of the new grant. A renewed grant is paused.
 */
const pauseUntil = async ({ ports, claim }: ImportTurn, until: Instant): Promise<void> => {
  const { userId, host, connectedAt } = claim.connection;
  const current = await ports.stores.hostConnections.of(userId, host);
  if (current?.connectedAt !== connectedAt) return;
  await changeConnection(ports.stores, current, ({ pausedUntil }) => ({
    pausedUntil: Math.max(until, pausedUntil ?? until),
  }));
};

/**
 * Pauses the connection because little of the budget of the host is left. Marks the issues of links that wait for
 * longer than `SHORT_PAUSE` beyond their due moment as stale since their last run.
 */
const pauseForBudget = async (turn: ImportTurn, until: Instant): Promise<void> => {
  const { stores, clock } = turn.ports;
  await pauseUntil(turn, until);
  // Each page makes a run under way due anew, so the start of the run is compared.
  for (const { link, state } of await stores.repositoryLinks.ofConnection(turn.claim.connection))
    if (until - Math.min(state.dueAt, state.startedAt ?? state.dueAt) > SHORT_PAUSE)
      await markIssuesOfLinkStale(stores, { link, state }, clock());
};

/** Stores the failure with the link, and marks its issues as stale since its last complete run. */
const noteFailure = (
  { ports, host, claim }: ImportTurn,
  { link, state }: LinkedRepository,
  why: Pick<ImportFailure, 'code' | 'message'>,
  dueAt: Instant,
): Promise<void> =>
  ports.stores.transaction(async ({ projects, repositoryLinks }) => {
    await projects.lock(link.projectId);
    const now = ports.clock();
    const next = { link, state: stateAfterFailure(state, why, now, dueAt) };
    if (!(await repositoryLinks.save(claim, next, state, now))) throw new ClaimLost();
    await markIssuesOfLinkStale({ repositoryLinks }, { link, state }, now);
  }, hostAuthor(host));

/** Notes a failure of the whole connection at all its links that are due before the next try: none of them can be read. */
const noteFailureAtDueLinks = async (turn: ImportTurn, { refusal }: HostFailure, until: Instant): Promise<void> => {
  const { clock, stores } = turn.ports;
  const horizon = Math.max(until, clock() + RUN_EVERY);
  // Listed once: a link that is requested during the loop is due again, and must not keep the others from their failure.
  const links = await stores.repositoryLinks.ofConnection(turn.claim.connection);
  for (const { link } of links.filter(({ state }) => state.dueAt <= horizon)) {
    // Read anew: it may have been removed since.
    const linked = await stores.repositoryLinks.byId(link.id);
    if (linked !== undefined) await noteFailure(turn, linked, refusal, horizon + 1);
  }
};

const noteHostFailure = async (turn: ImportTurn, linked: LinkedRepository, failure: HostFailure): Promise<void> => {
  const { code, details } = failure.refusal;
  const now = turn.ports.clock();
  const retryAt = code === 'host-unavailable' && typeof details.retryAt === 'number' ? details.retryAt : null;
  const dueAt = retryDue(now, (linked.state.failure?.attempts ?? 0) + 1, retryAt);
  if (retryAt !== null) await pauseUntil(turn, dueAt);
  if (retryAt !== null || code === 'host-rejected') return noteFailureAtDueLinks(turn, failure, dueAt);
  return noteFailure(turn, linked, failure.refusal, dueAt);
};

const FAULT = { code: 'internal', message: 'The import met a fault of the service; it was noted.' } as const;

/** False for a lost claim and a database that cannot be reached: they say nothing about a link. */
const isFault = (error: unknown): boolean =>
  !(error instanceof ClaimLost) && !(error instanceof DomainError && error.code === 'unavailable');

/** Notes a fault of this service at the link, so that the link waits and the other links of its connection are imported. */
const noteFault = async (turn: ImportTurn, linked: LinkedRepository): Promise<void> => {
  const dueAt = retryDue(turn.ports.clock(), (linked.state.failure?.attempts ?? 0) + 1, null);
  // The original error is thrown, even when it cannot be stored.
  await noteFailure(turn, linked, FAULT, dueAt).catch(() => undefined);
};
