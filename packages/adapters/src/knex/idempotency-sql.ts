// SQL by hand: inside the transaction of a report, an advisory lock holds its key and one statement takes it.
import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { IdempotencyStore, IdempotentRequest, RememberedReply } from '@shipworthy/domain/ports';
import { query, type TableOf } from './query.js';
import { type Access, removeInPortions } from './sql.js';

export interface IdempotencyRow {
  readonly id: string;
  readonly fingerprint: string;
  readonly status: number | null;
  readonly location: string | null;
  readonly body: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    idempotency: TableOf<IdempotencyRow & { readonly at: number }, 'at'>;
  }
}

/** Bodies with more characters are stored compressed: the answer to a batch says the same a thousand times. */
const LONG = 4096;
/** The prefix of a compressed text; no JSON text begins with it. */
const COMPRESSED = 'gzip:';

const keptBody = (body: string): string =>
  body.length <= LONG ? body : COMPRESSED + gzipSync(body).toString('base64');

const bodyOf = (kept: string): string =>
  kept.startsWith(COMPRESSED) ? gunzipSync(Buffer.from(kept.slice(COMPRESSED.length), 'base64')).toString() : kept;

/** The id under which a key is stored: a digest of key, caller and operation, 43 characters. */
export const keyId = ({ caller, operation, key }: IdempotentRequest): string =>
  hash('sha256', JSON.stringify([caller, operation, key]), 'base64url');

/** Returns the stored answer of a key; undefined when there is none, or the key's request had another fingerprint. */
export const replyOf = (row: IdempotencyRow | undefined, fingerprint: string): RememberedReply | undefined =>
  row === undefined || row.status === null || row.fingerprint !== fingerprint
    ? undefined
    : { status: row.status, location: row.location, body: bodyOf(row.body ?? '') };

/**
 * Locks the key until the transaction ends; false when another one holds it. SQLite needs no lock: it has one writer.
 */
const tryLockKey = async (access: Access, id: string): Promise<boolean> => {
  if (access.dialect.name === 'sqlite') return true;
  const digest = Buffer.from(id, 'base64url');
  const [row] = await access.write<{ held: boolean }>('select pg_try_advisory_xact_lock(?, ?) as held', [
    digest.readInt32BE(0),
    digest.readInt32BE(4),
  ]);
  return row?.held === true;
};

type Taken = Awaited<ReturnType<IdempotencyStore['take']>>;

const rowOf = async (access: Access, id: string): Promise<IdempotencyRow | undefined> => {
  const [row] = await access.write<IdempotencyRow>(
    'select id, fingerprint, status, location, body from idempotency where id = ?',
    [id],
  );
  return row;
};

const keptIn = (row: IdempotencyRow | undefined, fingerprint: string): Taken => {
  const reply = replyOf(row, fingerprint);
  return reply === undefined ? { state: 'reused' } : { state: 'taken', reply };
};

const take = async (access: Access, request: IdempotentRequest): Promise<Taken> => {
  const id = keyId(request);
  const { fingerprint, at } = request;
  if (!(await tryLockKey(access, id))) {
    // The holder may be a request that only reads the stored answer.
    const row = await rowOf(access, id);
    return typeof row?.status === 'number' ? keptIn(row, fingerprint) : { state: 'in_use' };
  }
  const taken = await access.write(
    `insert into idempotency (id, fingerprint, at) values (?, ?, ?)
      on conflict (id) do update set fingerprint = excluded.fingerprint, at = excluded.at
        where idempotency.status is null returning id`,
    [id, fingerprint, access.dialect.moment(at)],
  );
  if (taken.length === 1) return { state: 'free' };
  return keptIn(await rowOf(access, id), fingerprint);
};

export const idempotencyStore = (access: Access): IdempotencyStore => ({
  take: (request) => take(access, request),
  remember: async (request, { status, location, body }) => {
    const kept = query(access).from('idempotency').where('id', keyId(request));
    await kept.update({ status, location, body: keptBody(body) });
  },
  removeBefore: (at) => removeInPortions(access, 'idempotency', 'at < ?', access.dialect.moment(at)),
});
