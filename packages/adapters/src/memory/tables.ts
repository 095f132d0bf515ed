import {
  type ApiKey,
  type AuditEntry,
  type Author,
  type AxisReport,
  addressKey,
  type BadgeOptIn,
  type Cause,
  type ChecklistItem,
  type ChecklistTemplate,
  type DailyCount,
  type Delivery,
  type Deployment,
  type GateChange,
  type HostConnection,
  type Instant,
  type Invitation,
  type Issue,
  type IssueEvent,
  type KeptSince,
  type LinkedRepository,
  type Membership,
  type Move,
  type Project,
  type Release,
  type ReleaseEvent,
  type RepositoryOrigin,
  type Session,
  type SignInAttempt,
  type Team,
  type TestRun,
  type User,
  type Webhook,
} from '@shipworthy/domain';
import type {
  FormerGrant,
  IdempotentRequest,
  Knowledge,
  PendingApproval,
  RecordedPoint,
  RememberedReply,
} from '@shipworthy/domain/ports';
import type { FrozenReport, PolicyVersion, Waiver } from '@shipworthy/domain/readiness';
import { type LocalFeed, localFeed } from '../event-feed/local-feed.js';
import { type Draft, draft, type MemoryTable, memoryTable } from './table.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Start of the UTC day. */
export const dayOf = (at: Instant): Instant => Math.floor(at / DAY) * DAY;

/** Start of the hour. */
export const hourOf = (at: Instant): Instant => Math.floor(at / HOUR) * HOUR;

/** One key made of several values with any characters. */
export const keyOf = (...parts: readonly (string | number | null)[]): string => JSON.stringify(parts);

/** A connection with the worker's claim on it. */
export interface StoredConnection {
  readonly connection: HostConnection;
  readonly refreshUntil: Instant | null;
  readonly lease: string | null;
  readonly claimedUntil: Instant | null;
}

/** A link with what else is kept of its project's import. */
export interface StoredLink {
  readonly linked: LinkedRepository;
  /** The link was made due while a run was under way: another run follows soon after it. */
  readonly rerunRequested: boolean;
  readonly issuesAsOf: Instant | null;
}

/** A webhook with the worker's claim on it. */
export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly lease: string | null;
  readonly claimedUntil: Instant | null;
  readonly servedAt: Instant;
}

/** A move of a release, and the revision it brought. `turn`: 0, or the moment at which a time limit passed. */
export interface StoredMove {
  readonly releaseId: string;
  readonly revision: number;
  readonly turn: number;
  readonly move: Move;
}

/** A span of time in which a release was the active one; endedAt is null while it is. */
interface Activation {
  readonly releaseId: string;
  readonly projectId: string;
  readonly beganAt: Instant;
  readonly endedAt: Instant | null;
}

/** All rows, each kind in a table of its own. */
export const emptyTables = () => ({
  users: memoryTable<{ readonly user: User; readonly passwordHash: string }, 'email'>({
    email: ({ user }) => addressKey(user.email),
  }),
  sessions: memoryTable<Session, 'secretHash' | 'user'>({
    secretHash: (row) => row.secretHash,
    user: (row) => row.userId,
  }),
  apiKeys: memoryTable<ApiKey, 'hash' | 'user'>({ hash: (row) => row.hash, user: (row) => row.userId }),
  invitations: memoryTable<Invitation, 'secretHash'>({ secretHash: (row) => row.secretHash }),
  attempts: memoryTable<SignInAttempt, 'account' | 'address'>({
    account: (row) => row.account,
    address: (row) => row.address,
  }),
  knownAddresses: memoryTable<true>({}),
  audit: memoryTable<AuditEntry, 'team'>({ team: (row) => row.teamId ?? '' }),
  replies: memoryTable<{ readonly request: IdempotentRequest; readonly reply: RememberedReply }>({}),
  teams: memoryTable<Team, 'slug'>({ slug: (row) => row.slug }),
  memberships: memoryTable<Membership, 'team' | 'user'>({ team: (row) => row.teamId, user: (row) => row.userId }),
  projects: memoryTable<Project, 'team' | 'name'>({ team: (row) => row.teamId, name: (row) => row.name }),
  keptSince: memoryTable<KeptSince>({}),
  formerNames: memoryTable<{ readonly projectId: string; readonly name: string }, 'project'>({
    project: (row) => row.projectId,
  }),
  policies: memoryTable<PolicyVersion & { readonly projectId: string }, 'project'>({ project: (row) => row.projectId }),
  releases: memoryTable<Release, 'project'>({ project: (row) => row.projectId }),
  activations: memoryTable<Activation, 'project' | 'release'>({
    project: (row) => row.projectId,
    release: (row) => row.releaseId,
  }),
  frozen: memoryTable<FrozenReport>({}),
  issues: memoryTable<Issue, 'project' | 'release' | 'external'>({
    project: (row) => row.projectId,
    external: (row) => keyOf(row.projectId, row.externalId),
    release: (row) => row.releaseId ?? '',
  }),
  issueEvents: memoryTable<readonly IssueEvent[]>({}),
  items: memoryTable<ChecklistItem, 'release'>({ release: (row) => row.releaseId }),
  checklistTemplates: memoryTable<ChecklistTemplate>({}),
  waivers: memoryTable<Waiver, 'release'>({ release: (row) => row.releaseId }),
  deployments: memoryTable<Deployment, 'project' | 'hour'>({
    project: (row) => row.projectId,
    hour: (row) => keyOf(row.projectId, hourOf(row.startedAt)),
  }),
  hourlyCounts: memoryTable<DailyCount, 'project'>({ project: (row) => row.projectId }),
  testRuns: memoryTable<TestRun, 'project' | 'release'>({
    project: (row) => row.projectId,
    release: (row) => row.releaseId,
  }),
  /** The latest test run of each suite of a release among those that were removed for their age. */
  removedLatestRuns: memoryTable<TestRun, 'release'>({ release: (row) => row.releaseId }),
  axisReports: memoryTable<AxisReport, 'project' | 'release'>({
    project: (row) => row.projectId,
    release: (row) => row.releaseId,
  }),
  /** The latest report of each axis of a release; it stays when the report itself is removed for its age. */
  latestReports: memoryTable<AxisReport, 'release'>({ release: (row) => row.releaseId }),
  externals: memoryTable<{ readonly recordId: string; readonly fingerprint: string }>({}),
  changes: memoryTable<ReleaseMark>({}),
  connections: memoryTable<StoredConnection, 'host'>({ host: (row) => row.connection.host }),
  endings: memoryTable<{ readonly ending: FormerGrant; readonly dueAt: Instant }>({}),
  approvals: memoryTable<PendingApproval>({}),
  links: memoryTable<StoredLink, 'project' | 'connection'>({
    project: ({ linked }) => linked.link.projectId,
    connection: ({ linked }) => keyOf(linked.link.userId, linked.link.host),
  }),
  origins: memoryTable<RepositoryOrigin>({}),
  deliveries: memoryTable<{ readonly key: string; readonly at: Instant }>({}),
  webhooks: memoryTable<StoredWebhook, 'project'>({ project: ({ webhook }) => webhook.projectId }),
  webhookDeliveries: memoryTable<Delivery, 'webhook'>({ webhook: (row) => row.webhookId }),
  badges: memoryTable<BadgeOptIn>({}),
  eventSources: memoryTable<
    { readonly projectId: string; readonly source: string; readonly place: number },
    'project' | 'source'
  >({ project: (row) => row.projectId, source: (row) => row.source }),
  unmoved: memoryTable<Knowledge & { readonly releaseId: string }, 'release'>({ release: (row) => row.releaseId }),
  moves: memoryTable<StoredMove, 'release'>({ release: (row) => row.releaseId }),
  gateChanges: memoryTable<GateChange & { readonly notedAt: Instant }, 'release' | 'team'>({
    release: (row) => row.releaseId,
    team: (row) => row.teamId,
  }),
  /** By user id: the moment up to which the person has read the gate changes. */
  readUpTo: memoryTable<Instant>({}),
  points: memoryTable<RecordedPoint, 'release'>({ release: (row) => row.releaseId }),
});

type AllTables = ReturnType<typeof emptyTables>;

export type Tables = AllTables & {
  /** Who makes these changes; missing: not known. */
  readonly by?: Author | undefined;
};

/** The same tables with an author. */
const actingAs = (tables: Tables, by: Author): Tables =>
  new Proxy(tables, { get: (target, name) => (name === 'by' ? by : Reflect.get(target, name)) });

/** The new value of a row; without `row` it is removed. Holds only values that JSON has. */
export interface RowChange {
  readonly table: string;
  readonly key: string;
  readonly row?: unknown;
}

interface TableDrafts {
  readonly tables: Tables;
  changes(): readonly RowChange[];
  merge(): void;
}

/** Drafts of all tables, each made when it is first touched, and merged together. */
const draftTables = (below: Tables): TableDrafts => {
  const drafts = new Map<string, Draft<unknown, string>>();
  const tables = new Proxy(below, {
    get: (target, name: keyof Tables & string) => {
      if (name === 'by') return target.by;
      const own = drafts.get(name) ?? draft<unknown, string>(target[name] as never);
      drafts.set(name, own);
      return own;
    },
  });
  return {
    tables,
    changes: () =>
      [...drafts].flatMap(([table, own]) =>
        own.changes().map(([key, row]) => (row === undefined ? { table, key } : { table, key, row })),
      ),
    merge: () => {
      for (const own of drafts.values()) own.merge();
    },
  };
};

/** Does the work on drafts and merges them only if it does not throw. */
export const atomically = <Result>(below: Tables, work: (tables: Tables) => Result): Result => {
  const { tables, merge } = draftTables(below);
  const result = work(tables);
  merge();
  return result;
};

const NAMED_CAUSES = 20;

/** Causes of a change: the first NAMED_CAUSES of them, and the number of all. */
export interface Causes {
  readonly named: readonly Cause[];
  readonly count: number;
}

/** How far a release has changed, and how far its trend has followed. */
export interface ReleaseMark {
  readonly releaseId: string;
  readonly revision: number;
  readonly changedAt: Instant;
  /** Up to this revision the trend is up to date. */
  readonly settledRevision: number;
  /** Causes that a worker has claimed, and those that came since. */
  readonly claimed: Causes;
  readonly pending: Causes;
  /** A worker holds it until this moment. */
  readonly hiddenUntil: Instant;
  readonly dueAt: Instant | null;
}

export const NO_CAUSES: Causes = { named: [], count: 0 };

export const mergedCauses = (first: Causes, second: Causes): Causes => ({
  named: [...first.named, ...second.named].slice(0, NAMED_CAUSES),
  count: first.count + second.count,
});

/** How a store gets at the tables. The work is synchronous, so it sees one state of them. */
export interface TableAccess {
  read<Result>(work: (tables: Tables) => Result): Promise<Result>;
  /** Runs work; its changes are kept when it returns, and undone when it throws. */
  change<Result>(work: (tables: Tables) => Result): Promise<Result>;
  /** Publishes events once the changes are committed; never when they are rolled back. */
  tell(events: readonly ReleaseEvent[]): Promise<void>;
}

/** The data behind a bundle of stores; bundles on the same data see each other's rows. */
export interface MemoryData {
  readonly tables: AllTables;
  readonly feed: LocalFeed;
  /** Stores the changes of one piece of work; null: they are in memory only. */
  readonly keep: KeepChanges | null;
  /** All rows of all tables, as changes. */
  rows(): readonly RowChange[];
  /** Runs the work once all earlier changes and transactions are over. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Stores the changes of a transaction, or a single change, before others see them; when it throws, they are undone.
 * Never called again before it has ended.
 */
type KeepChanges = (changes: readonly RowChange[]) => Promise<void>;

interface MemoryOptions {
  /** The rows to begin with; of several for one key the last one counts. None unless given. */
  readonly rows?: Iterable<RowChange>;
  readonly keep?: KeepChanges;
}

/** Makes data with the given rows. @throws TypeError for a row of an unknown table */
export const memoryData = ({ rows = [], keep }: MemoryOptions = {}): MemoryData => {
  const tables = emptyTables();
  const byName = new Map<string, MemoryTable<unknown>>(Object.entries(tables as object));
  for (const { table, key, row } of rows) {
    const found = byName.get(table);
    if (found === undefined) throw new TypeError(`There is no table ${table}.`);
    if (row === undefined) found.remove(key);
    else found.put(key, row);
  }
  let last: Promise<unknown> = Promise.resolve();
  return {
    tables,
    keep: keep ?? null,
    rows: () => [...byName].flatMap(([table, { entries }]) => entries().map(([key, row]) => ({ table, key, row }))),
    feed: localFeed(),
    inTurn: (work) => {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};

const keepChanges = async ({ keep }: MemoryData, changes: readonly RowChange[]): Promise<void> => {
  if (keep !== null && changes.length > 0) await keep(changes);
};

/** Outside a transaction: reads at once, changes one at a time. */
export const directAccess = (data: MemoryData): TableAccess => ({
  read: async (work) => work(data.tables),
  change: (work) =>
    data.inTurn(async () => {
      if (data.keep === null) return atomically(data.tables, work);
      const { tables, changes, merge } = draftTables(data.tables);
      const result = work(tables);
      await keepChanges(data, changes());
      merge();
      return result;
    }),
  tell: (events) => data.inTurn(async () => data.feed.tell(events)),
});

/** Inside a transaction: everything on one draft, which is merged or dropped when it ends. */
export const transactionAccess = (
  data: MemoryData,
): { accessOf(by: Author | undefined): TableAccess; end(keep: boolean): Promise<void> } => {
  const { tables, changes, merge } = draftTables(data.tables);
  const told: ReleaseEvent[] = [];
  let over = false;
  const open = (): Tables => {
    if (over) throw new Error('The transaction is over; its stores are not to be used any more.');
    return tables;
  };
  return {
    accessOf: (by) => {
      const tablesNow = (): Tables => (by === undefined ? open() : actingAs(open(), by));
      return {
        read: async (work) => work(tablesNow()),
        change: async (work) => atomically(tablesNow(), work),
        tell: async (events) => void told.push(...events),
      };
    },
    end: async (keep) => {
      over = true;
      if (!keep) return;
      await keepChanges(data, changes());
      merge();
      data.feed.tell(told);
    },
  };
};
