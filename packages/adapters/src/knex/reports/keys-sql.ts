// SQL by hand: every report runs these statements. The keys of a batch are held, looked up and kept by one statement each.
import type { Remembered } from '@shipworthy/domain';
import type { RememberedReply, ReportEntry, ReportOutcome } from '@shipworthy/domain/ports';
import { type IdempotencyRow, keyId, replyOf } from '../idempotency-sql.js';
import { type Access, remove } from '../sql.js';

/** An entry with its index, and the id under which its idempotency key is stored; null: it has no key. */
export interface PlacedEntry<Entry extends ReportEntry = ReportEntry> {
  readonly place: number;
  readonly entry: Entry;
  readonly keyId: string | null;
}

/** Returns the entries in their order, each with the id of its key, which is a hash and computed only once. */
export const placed = (entries: readonly ReportEntry[]): readonly PlacedEntry[] =>
  entries.map((entry, place) => ({
    place,
    entry,
    keyId: entry.kind === 'finish' || entry.remember === null ? null : keyId(entry.remember.request),
  }));

export type PlacedOf<Kind extends ReportEntry['kind']> = PlacedEntry<Extract<ReportEntry, { readonly kind: Kind }>>;

export const ofKind = <Kind extends ReportEntry['kind']>(
  kind: Kind,
  entries: readonly PlacedEntry[],
): readonly PlacedOf<Kind>[] => entries.filter((placed): placed is PlacedOf<Kind> => placed.entry.kind === kind);

/**
 * What an entry takes or changes, each as one text: record, external id, key. Texts of different kinds never are equal.
 */
interface Tokens {
  readonly record: string;
  readonly external: string | null;
  readonly key: string | null;
}

const tokensOf = ({ entry, keyId: key }: PlacedEntry): Tokens => {
  if (entry.kind === 'finish') return { record: entry.deploymentId, external: null, key };
  const { id, projectId, external } = entry.kind === 'deployment' ? entry.deployment : entry.testRun;
  return { record: id, external: external && `${entry.kind} ${projectId} ${external.id}`, key };
};

const SETTLES: Readonly<Record<ReportOutcome['result'], readonly (keyof Tokens)[]>> = {
  created: ['external', 'key'],
  duplicate: ['external'],
  external_id_conflict: ['external'],
  replayed: ['key'],
  key_reused: ['key'],
  finished: ['record'],
  already_final: ['record'],
  release_closed: [],
  not_found: [],
  failed: [],
};

/** Returns the tokens of an entry that are settled by its outcome: a later entry with such a token need not wait. */
export const settledTokens = (one: PlacedEntry, { result }: ReportOutcome): readonly string[] => {
  const tokens = tokensOf(one);
  return SETTLES[result].flatMap((name) => tokens[name] ?? []);
};

/**
 * Splits the entries into those that can be recorded together now and those that must wait, because they share a token
 * with an earlier one. No entry waits for a settled token: a hundred repeats of one request are two waves.
 */
export const nextWave = (
  entries: readonly PlacedEntry[],
  settled: ReadonlySet<string>,
): { readonly now: readonly PlacedEntry[]; readonly later: readonly PlacedEntry[] } => {
  const taken = new Set<string>();
  const now: PlacedEntry[] = [];
  const later: PlacedEntry[] = [];
  for (const one of entries) {
    const { record, external, key } = tokensOf(one);
    const isTaken = (token: string | null): boolean => token !== null && taken.has(token) && !settled.has(token);
    (isTaken(record) || isTaken(external) || isTaken(key) ? later : now).push(one);
    taken.add(record);
    if (external !== null) taken.add(external);
    if (key !== null) taken.add(key);
  }
  return { now, later };
};

const COLUMNS = {
  id: 'text',
  fingerprint: 'text',
  at: 'moment',
  status: 'integer',
  location: 'text',
  body: 'text',
} as const;

interface Keyed {
  readonly place: number;
  readonly id: string;
  readonly remember: Remembered;
}

const keyed = (entries: readonly PlacedEntry[]): readonly Keyed[] =>
  entries.flatMap(({ place, entry, keyId: id }) =>
    entry.kind === 'finish' || entry.remember === null || id === null ? [] : [{ place, id, remember: entry.remember }],
  );

const take = async (access: Access, keys: readonly Keyed[]): Promise<ReadonlySet<string>> => {
  const { moment, rowset } = access.dialect;
  const names = Object.keys(COLUMNS).join(', ');
  const given = rowset('v', COLUMNS);
  const rows = await access.write<{ id: string }>(
    `insert into idempotency (${names}) select ${names} from ${given.table} where true
      on conflict (id) do update set fingerprint = excluded.fingerprint, at = excluded.at, status = excluded.status,
        location = excluded.location, body = excluded.body where idempotency.status is null
      returning id`,
    given.bindings(
      keys.map(({ id, remember: { request, reply } }) => [
        id,
        request.fingerprint,
        moment(request.at),
        reply.status,
        reply.location,
        reply.body,
      ]),
    ),
    'take-keys',
  );
  return new Set(rows.map(({ id }) => id));
};

const answers = async (access: Access, keys: readonly Keyed[]): Promise<ReadonlyMap<string, IdempotencyRow>> => {
  const { among, list } = access.dialect;
  const rows = await access.write<IdempotencyRow>(
    `select id, fingerprint, status, location, body from idempotency where ${among('id', 'text')}`,
    [list(keys.map(({ id }) => id))],
  );
  return new Map(rows.map((row) => [row.id, row]));
};

/** Each key once, sorted, so that two writers of the same keys meet in the same order. */
const sortedOnce = (keys: readonly Keyed[]): readonly Keyed[] =>
  [...new Map(keys.map((key) => [key.id, key])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Takes the entries' idempotency keys; answers whether none of them was taken before. */
export const takeFreshKeys = async (access: Access, entries: readonly PlacedEntry[]): Promise<boolean> => {
  const keys = sortedOnce(keyed(entries));
  return keys.length === 0 || (await take(access, keys)).size === keys.length;
};

/**
 * Takes the entries' idempotency keys. Notes the outcome of those whose key was taken before, and answers the others.
 */
export const takeKeys = async (
  access: Access,
  entries: readonly PlacedEntry[],
  outcomes: Map<number, ReportOutcome>,
): Promise<readonly PlacedEntry[]> => {
  const keys = keyed(entries);
  if (keys.length === 0) return entries;
  const taken = await take(access, sortedOnce(keys));
  const lost = keys.filter(({ id }) => !taken.has(id));
  if (lost.length === 0) return entries;
  const known = await answers(access, lost);
  for (const { place, id, remember } of lost) {
    const reply = replyOf(known.get(id), remember.request.fingerprint);
    outcomes.set(place, reply === undefined ? { result: 'key_reused' } : { result: 'replayed', reply });
  }
  return entries.filter(({ place }) => !outcomes.has(place));
};

/** Stores other answers under keys that this transaction took, by the keys' ids. */
export const replaceReplies = async (access: Access, replies: ReadonlyMap<string, RememberedReply>): Promise<void> => {
  if (replies.size === 0) return;
  const { id, status, location, body } = COLUMNS;
  const given = access.dialect.rowset('v', { id, status, location, body });
  await access.write(
    `update idempotency as k set status = v.status, location = v.location, body = v.body
      from ${given.table} where k.id = v.id`,
    given.bindings([...replies].map(([key, reply]) => [key, reply.status, reply.location, reply.body])),
  );
};

/** Gives back the keys of entries that were not created: only the key of a stored record is kept. */
export const freeKeys = async (access: Access, entries: readonly PlacedEntry[]): Promise<void> => {
  const ids = keyed(entries).map(({ id }) => id);
  if (ids.length === 0) return;
  await remove(access, 'idempotency', access.dialect.among('id', 'text'), [access.dialect.list(ids)]);
};

interface Reported {
  readonly projectId: string;
  readonly external: { readonly id: string; readonly fingerprint: string } | null;
}

/** The record that already has each external id in its project; undefined where the id is new or there is none. */
export const knownExternals = async (
  access: Access,
  table: 'deployments' | 'test_runs',
  records: readonly Reported[],
): Promise<readonly (ReportOutcome | undefined)[]> => {
  const named = records.flatMap(({ projectId, external }) => (external === null ? [] : [[projectId, external.id]]));
  if (named.length === 0) return records.map(() => undefined);
  const asked = access.dialect.rowset('v', { project_id: 'id', external_id: 'text' });
  const rows = await access.write<{
    id: string;
    project_id: string;
    external_id: string;
    external_fingerprint: string;
  }>(
    `select r.id, r.project_id, r.external_id, r.external_fingerprint
      from ${asked.table} join ${table} r on r.project_id = v.project_id and r.external_id = v.external_id`,
    asked.bindings(named),
  );
  const known = new Map(rows.map((row) => [`${row.project_id} ${row.external_id}`, row]));
  return records.map(({ projectId, external }) => {
    const row = known.get(`${projectId} ${external?.id}`);
    if (external === null || row === undefined) return undefined;
    const same = row.external_fingerprint === external.fingerprint;
    return { result: same ? 'duplicate' : 'external_id_conflict', id: row.id };
  });
};
