import type { DomainError } from '../../errors.js';
import type { ReceiptLog } from '../../pipeline-report.js';
import type { Stores } from '../../ports.js';
import type { Project } from '../../project.js';
import type { HostAccess, HostBudget, HostReading, HostReadRequest, RepositoryHost } from '../../repository/host.js';
import type {
  ImportCheckpoint,
  ImportCounts,
  ImportStage,
  LinkedRepository,
  ReadMark,
  StageProgress,
} from '../../repository/import-state.js';
import type { RepositoryLink } from '../../repository/link.js';
import type { Instant } from '../../time.js';

/** A step of an import that reads a page. */
export interface ImportStep {
  /** Outside of any transaction. */
  readonly stores: Stores;
  readonly linked: LinkedRepository;
  readonly now: Instant;
  /** Asks the host with the grant of the person who linked the repository. @throws HostFailure */
  ask<Answer>(question: (host: RepositoryHost, access: HostAccess) => Promise<Answer>): Promise<Answer>;
}

/** A step of an import that stores a page: one transaction, with the project locked. */
export interface StoringStep {
  readonly stores: Stores;
  readonly link: RepositoryLink;
  readonly project: Project;
  /** The host's name for people. */
  readonly hostTitle: string;
  /** Receives, after the commit, what was stored. */
  readonly receipts: ReceiptLog;
  readonly now: Instant;
  readonly newId: () => string;
}

/** A page that was read and waits to be stored. */
export interface UnstoredPage {
  readonly budget: HostBudget | null;
  /** How many rows were read. */
  readonly rows: Partial<ImportCounts>;
  /** The repository as the host calls it now, if it was asked. */
  readonly repository?: RepositoryLink['repository'];
  store(step: StoringStep): Promise<StageProgress>;
}

/** Reads the next page of a stage. */
export type ReadStage = (step: ImportStep) => Promise<UnstoredPage>;

/** The host's fault, not ours: the import waits and tries again. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  constructor(readonly refusal: DomainError) {
    super(refusal.message);
  }
}

/** Another worker took over the import, or the link was removed: the page read so far must not be stored. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** The page of a stage that has nothing more to read: the stage is complete. */
export function completedStage({ linked }: ImportStep, changes: Partial<StageProgress> = {}): UnstoredPage {
  return {
    budget: null,
    rows: {},
    store: async () => ({ next: null, reading: null, marks: linked.state.checkpoint.marks, ...changes }),
  };
}

/** The request for what changed since the mark, or for the next page of the stage. */
export function hostReadRequest({ page, marks }: ImportCheckpoint, stage: ImportStage): HostReadRequest {
  return {
    since: marks[stage]?.since ?? null,
    page,
    validator: page === null ? (marks[stage]?.validator ?? null) : null,
  };
}

type ReadRows<Row> = Extract<HostReading<Row>, { readonly unchanged: false }>;

/** The mark of the stage after this page; `moments` are those of the changes on it. */
export function markAfterPage(
  { page, reading, marks }: ImportCheckpoint,
  stage: ImportStage,
  { validator }: ReadRows<unknown>,
  moments: readonly Instant[],
): ReadMark {
  const since = (page === null ? marks[stage] : reading)?.since ?? null;
  const newest = moments.reduce((latest, at) => Math.max(latest, at), since ?? Number.NEGATIVE_INFINITY);
  return {
    since: newest === Number.NEGATIVE_INFINITY ? null : newest,
    validator: page === null ? validator : (reading?.validator ?? null),
  };
}

/** The repository as the host calls it now. @throws HostFailure when it cannot be read */
export async function repositoryNow({
  ask,
  linked,
}: Pick<ImportStep, 'ask' | 'linked'>): Promise<RepositoryLink['repository']> {
  const { id } = linked.link.repository;
  const { path, url, defaultBranch } = await ask((host, access) => host.repository(access, { id }));
  return { id, path, url, defaultBranch };
}
