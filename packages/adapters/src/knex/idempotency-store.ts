import { createHash } from 'node:crypto';
import type { IdempotencyStore, IdempotentRequest, RememberedReply } from '@shipworthy/domain';
import type { Access } from './access.js';
import { removeInPortions } from './portions.js';
import { update } from './sql.js';

export interface KeyRow {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number | null;
  readonly location: string | null;
  readonly body: string | null;
}

/** The answer kept with a key; undefined where the key was taken and never remembered. */
export const replyOf = ({ status, location, body }: KeyRow): RememberedReply | undefined =>
  status === null ? undefined : { status, location, body: body ?? '' };

/** Whether no other transaction holds the key; it is held until this one ends. A SQLite file has one writer anyway. */
const hold = async (access: Access, { caller, operation, key }: IdempotentRequest): Promise<boolean> => {
  if (access.dialect.name === 'sqlite') return true;
  const digest = createHash('sha256')
    .update(JSON.stringify([caller, operation, key]))
    .digest();
  const [row] = await access.write<{ held: boolean }>('select pg_try_advisory_xact_lock(?, ?) as held', [
    digest.readInt32BE(0),
    digest.readInt32BE(4),
  ]);
  return row?.held === true;
};

const take = async (access: Access, request: IdempotentRequest): ReturnType<IdempotencyStore['take']> => {
  if (!(await hold(access, request))) return { state: 'in_use' };
  const { caller, operation, key, fingerprint, at } = request;
  const taken = await access.write(
    `insert into idempotency (caller, operation, key, fingerprint, at) values (?, ?, ?, ?, ?)
      on conflict (caller, operation, key) do update set fingerprint = excluded.fingerprint, at = excluded.at
        where idempotency.status is null returning key`,
    [caller, operation, key, fingerprint, access.dialect.moment(at)],
  );
  if (taken.length === 1) return { state: 'free' };
  const [row] = await access.write<KeyRow>(
    `select caller, operation, key, fingerprint, status, location, body from idempotency
      where caller = ? and operation = ? and key = ?`,
    [caller, operation, key],
  );
  const reply = row?.fingerprint === fingerprint ? replyOf(row) : undefined;
  return reply === undefined ? { state: 'reused' } : { state: 'taken', reply };
};

export const idempotencyStore = (access: Access): IdempotencyStore => ({
  take: (request) => take(access, request),
  remember: async ({ caller, operation, key }, { status, location, body }) => {
    const condition = 'caller = ? and operation = ? and key = ?';
    await update(access, 'idempotency', { status, location, body }, condition, [caller, operation, key]);
  },
  removeBefore: (at) =>
    removeInPortions(access, 'idempotency', ['caller', 'operation', 'key'], 'at < ?', access.dialect.moment(at)),
});
