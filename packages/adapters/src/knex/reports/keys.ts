import type { Remembered, ReportOutcome } from '@shipworthy/domain';
import type { Access } from '../access.js';
import { type KeyRow, replyOf } from '../idempotency-store.js';
import { keyToken, type Placed } from './wave.js';

const COLUMNS = {
  caller: 'text',
  operation: 'text',
  key: 'text',
  fingerprint: 'text',
  at: 'moment',
  status: 'integer',
  location: 'text',
  body: 'text',
} as const;

interface Keyed extends Placed {
  readonly token: string;
  readonly remember: Remembered;
}

const keyed = (entries: readonly Placed[]): readonly Keyed[] =>
  entries.flatMap(({ place, entry }) => {
    if (entry.kind === 'finish' || entry.remember === null) return [];
    return [{ place, entry, token: keyToken(entry.remember.request), remember: entry.remember }];
  });

const chosen = (access: Access, keys: readonly Keyed[]) => {
  const rowset = access.dialect.rowset('v', { caller: 'text', operation: 'text', key: 'text' });
  const bindings = rowset.bindings(
    keys.map(({ remember: { request } }) => [request.caller, request.operation, request.key]),
  );
  return { table: rowset.table, bindings };
};

const take = async (access: Access, keys: readonly Keyed[]): Promise<ReadonlySet<string>> => {
  const rowset = access.dialect.rowset('v', COLUMNS);
  const names = Object.keys(COLUMNS).join(', ');
  const rows = await access.write<KeyRow>(
    `insert into idempotency (${names}) select ${names} from ${rowset.table} where true
      on conflict (caller, operation, key) do update set fingerprint = excluded.fingerprint, at = excluded.at,
        status = excluded.status, location = excluded.location, body = excluded.body
        where idempotency.status is null
      returning caller, operation, key`,
    rowset.bindings(
      keys.map(({ remember: { request, reply } }) => [
        request.caller,
        request.operation,
        request.key,
        request.fingerprint,
        access.dialect.moment(request.at),
        reply.status,
        reply.location,
        reply.body,
      ]),
    ),
    'take-keys',
  );
  return new Set(rows.map(keyToken));
};

const answers = async (access: Access, keys: readonly Keyed[]): Promise<ReadonlyMap<string, KeyRow>> => {
  const { table, bindings } = chosen(access, keys);
  const rows = await access.write<KeyRow>(
    `select i.caller, i.operation, i.key, i.fingerprint, i.status, i.location, i.body
      from ${table} join idempotency i on i.caller = v.caller and i.operation = v.operation and i.key = v.key`,
    bindings,
  );
  return new Map(rows.map((row) => [keyToken(row), row]));
};

/**
 * Takes the entries' idempotency keys, sorted, so that two writers of the same keys meet in the same order. Notes the
 * outcome of those whose key was taken before, and answers the others.
 */
export const takeKeys = async (
  access: Access,
  entries: readonly Placed[],
  outcomes: Map<number, ReportOutcome>,
): Promise<readonly Placed[]> => {
  const keys = keyed(entries).toSorted((a, b) => (a.token < b.token ? -1 : 1));
  if (keys.length === 0) return entries;
  const once = [...new Map(keys.map((key) => [key.token, key])).values()];
  const taken = await take(access, once);
  const lost = keys.filter(({ token }) => !taken.has(token));
  if (lost.length === 0) return entries;
  const known = await answers(access, lost);
  for (const { place, token, remember } of lost) {
    const row = known.get(token);
    const reply = row?.fingerprint === remember.request.fingerprint ? replyOf(row) : undefined;
    outcomes.set(place, reply === undefined ? { result: 'key_reused' } : { result: 'replayed', reply });
  }
  return entries.filter(({ place }) => !outcomes.has(place));
};

/** Gives back the keys of entries that were not created: a key stands for a record only. */
export const giveKeysBack = async (access: Access, entries: readonly Placed[]): Promise<void> => {
  const keys = keyed(entries);
  if (keys.length === 0) return;
  const { table, bindings } = chosen(access, keys);
  await access.write(
    `delete from idempotency where (caller, operation, key) in (select caller, operation, key from ${table})`,
    bindings,
  );
};
