// SQL by hand, since the builder knows neither an order by a case nor an update from a table of values. One statement here changes
// any number of rows; the builder would send one for each row and hold the locked rows longer.
import type { Instant } from '@shipworthy/domain';
import { asJson } from './dialect.js';
import type { Access } from './sql.js';

/** A claim of work: at which host, when, for how long, and under which name. */
interface Claim {
  readonly host: string;
  readonly now: Instant;
  readonly leaseMs: number;
  readonly lease: string;
}

/**
 * Claims the connection whose work is due first, and answers these columns of it. It is one statement, so two instances never claim
 * the same row: a row that another statement has locked is skipped, and the condition is checked again under the lock.
 */
export const claimConnection = async <Row>(
  access: Access,
  columns: string,
  { host, now, leaseMs, lease }: Claim,
): Promise<Row | undefined> => {
  const { moment, skipLocked } = access.dialect;
  const at = moment(now);
  const firstDue = `select min(l.due_at) from repository_links l
    where l.user_id = c.user_id and l.host = c.host and l.due_at <= ?`;
  const [row] = await access.write<Row>(
    `update host_connections set lease = ?, claimed_until = ? where (user_id, host) =
      (select c.user_id, c.host from host_connections c
        where c.host = ? and (c.claimed_until is null or c.claimed_until <= ?)
          and (c.paused_until is null or c.paused_until <= ?)
          and (c.state = 'revoking' or c.state = 'ok' and (${firstDue}) is not null)
        order by case when c.state = 'revoking' then c.connected_at else (${firstDue}) end, c.user_id
        limit 1 ${skipLocked})
      returning ${columns}`,
    [lease, moment(now + leaseMs), host, at, at, at, at],
  );
  return row;
};

/** When a link is due, and what is asked of its next run. */
interface DueLink {
  readonly id: string;
  readonly dueAt: Instant;
  /** 1: another run was asked for while one was going on. */
  readonly rerunRequested: number;
  readonly suspects: readonly string[];
}

const DUE_KINDS = { id: 'id', due_at: 'moment', hurried: 'integer', suspects: 'json' } as const;

/** Stores when links are due. */
export const storeDue = async (access: Access, links: readonly DueLink[]): Promise<void> => {
  const { moment, rowset } = access.dialect;
  const changed = rowset('v', DUE_KINDS);
  await access.write(
    `update repository_links as l set due_at = v.due_at, hurried = v.hurried, suspects = v.suspects
      from ${changed.table} where l.id = v.id`,
    changed.bindings(
      links.map(({ id, dueAt, rerunRequested, suspects }) => [id, moment(dueAt), rerunRequested, asJson(suspects)]),
    ),
  );
};
