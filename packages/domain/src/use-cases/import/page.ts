import { DomainError } from '../../errors.js';
import { heldReceipts } from '../../pipeline-report.js';
import type { Ports } from '../../ports.js';
import type { ClaimedConnection } from '../../repository/connection.js';
import type { ConfiguredHost, HostBudget } from '../../repository/host.js';
import { type ImportStage, type LinkedRepository, progressed, underWay } from '../../repository/import-state.js';
import type { Instant } from '../../time.js';
import { type HostPorts, withAccess } from '../host-grant.js';
import { importHostDeployments, importOpenDeployments } from './deployments.js';
import { importGoneIssues, importIssues } from './issues.js';
import { importMilestones } from './milestones.js';
import { ClaimLost, HostFailure, type ImportStep, type ReadStage, type UnstoredPage } from './step.js';
import { importHostTestRuns } from './test-runs.js';

export type ImportPorts = HostPorts & Pick<Ports, 'newId' | 'receipts'>;

/** A worker's turn with a connection. */
export interface ImportTurn {
  readonly ports: ImportPorts;
  readonly host: ConfiguredHost;
  readonly claim: ClaimedConnection;
  /** How long a page may take to be read, in milliseconds. */
  readonly pageMs: number;
}

const STAGES: { readonly [stage in ImportStage]: ReadStage } = {
  milestones: importMilestones,
  issues: importIssues,
  gone: importGoneIssues,
  deployments: importHostDeployments,
  open_deployments: importOpenDeployments,
  test_runs: importHostTestRuns,
};

const HOST_FAULTS: readonly string[] = ['host-unavailable', 'host-rejected', 'host-not-connected', 'not-found'];

/** Asks the host in a turn; its faults become `HostFailure`. */
export function askingIn({ ports, host, claim, pageMs }: ImportTurn): ImportStep['ask'] {
  return async (question) => {
    const deadline = ports.clock() + pageMs;
    try {
      return await withAccess(ports, claim.connection, deadline, (access) => question(host.repositories, access));
    } catch (error) {
      if (error instanceof DomainError && HOST_FAULTS.includes(error.code)) throw new HostFailure(error);
      throw error;
    }
  };
}

const storePage = async (
  { ports, host, claim }: ImportTurn,
  seen: LinkedRepository,
  begun: LinkedRepository,
  page: UnstoredPage,
): Promise<LinkedRepository> => {
  const { link } = begun;
  const receipts = heldReceipts(ports.receipts);
  const stored = await ports.stores.transaction(async (stores): Promise<LinkedRepository> => {
    await stores.projects.lock(link.projectId);
    const project = await stores.projects.byId(link.projectId);
    if (project === undefined) throw new ClaimLost();
    const now: Instant = ports.clock();
    const step = { stores, link, project, hostTitle: host.title, receipts, now, newId: ports.newId };
    const progress = await page.store(step);
    const state = progressed(begun.state, link.settings, progress, page.rows, now);
    const next = { link: { ...link, repository: page.repository ?? link.repository }, state };
    if (!(await stores.repositoryLinks.save(claim, next, seen.state, now))) throw new ClaimLost();
    // Of a connection that was given up or refused meanwhile nobody reads anything any more, nor says so again.
    const isRead = (await stores.hostConnections.of(link.userId, link.host))?.state === 'ok';
    if (state.startedAt === null)
      await stores.repositoryLinks.setStale(link.projectId, isRead ? null : state.completedAt, now);
    return next;
  });
  receipts.release();
  return stored;
};

/**
 * Reads one page and stores it with where the import stands then, in one transaction.
 * @throws HostFailure, ClaimLost; nothing is stored then
 */
export async function importPage(
  turn: ImportTurn,
  seen: LinkedRepository,
): Promise<{ readonly linked: LinkedRepository; readonly budget: HostBudget | null }> {
  const { stores, clock } = turn.ports;
  const now = clock();
  const linked = { ...seen, state: underWay(seen.state, seen.link.settings, now) };
  const { stage } = linked.state.checkpoint;
  if (stage === null) throw new Error(`There is nothing to import for the link ${seen.link.id}.`);
  const page = await STAGES[stage]({ stores, linked, now, ask: askingIn(turn) });
  return { linked: await storePage(turn, seen, linked, page), budget: page.budget };
}
