import type { Remembered, ReportOutcome } from '@shipworthy/domain';
import type { Access } from '../access.js';
import { type KeyRow, replyOf } from '../idempotency-store.js';
import { remove } from '../sql.js';
import type { Placed } from './wave.js';

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

const keyed = (entries: readonly Placed[]): readonly Keyed[] =>
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

const answers = async (access: Access, keys: readonly Keyed[]): Promise<ReadonlyMap<string, KeyRow>> => {
  const { among, list } = access.dialect;
  const rows = await access.write<KeyRow>(
    `select id, fingerprint, status, location, body from idempotency where ${among('id', 'text')}`,
    [list(keys.map(({ id }) => id))],
  );
  return new Map(rows.map((row) => [row.id, row]));
};

/** Each key once, sorted, so that two writers of the same keys meet in the same order. */
const inOrder = (keys: readonly Keyed[]): readonly Keyed[] =>
  [...new Map(keys.map((key) => [key.id, key])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Takes the entries' idempotency keys; answers whether none of them was taken before. */
export const takeFreshKeys = async (access: Access, entries: readonly Placed[]): Promise<boolean> => {
  const keys = inOrder(keyed(entries));
  return keys.length === 0 || (await take(access, keys)).size === keys.length;
};

/**
 * Takes the entries' idempotency keys. Notes the outcome of those whose key was taken before, and answers the others.
 */
export const takeKeys = async (
  access: Access,
  entries: readonly Placed[],
  outcomes: Map<number, ReportOutcome>,
): Promise<readonly Placed[]> => {
  const keys = keyed(entries);
  if (keys.length === 0) return entries;
  const taken = await take(access, inOrder(keys));
  const lost = keys.filter(({ id }) => !taken.has(id));
  if (lost.length === 0) return entries;
  const known = await answers(access, lost);
  for (const { place, id, remember } of lost) {
    const reply = replyOf(known.get(id), remember.request.fingerprint);
    outcomes.set(place, reply === undefined ? { result: 'key_reused' } : { result: 'replayed', reply });
  }
  return entries.filter(({ place }) => !outcomes.has(place));
};

/** Gives back the keys of entries that were not created: only the key of a stored record is kept. */
export const giveKeysBack = async (access: Access, entries: readonly Placed[]): Promise<void> => {
  const ids = keyed(entries).map(({ id }) => id);
  if (ids.length === 0) return;
  await remove(access, 'idempotency', access.dialect.among('id', 'text'), [access.dialect.list(ids)]);
};
