// SQL by hand: a transaction waits for a lock before it stores gate changes.
import type { GateChange, Instant, ListedGateChange } from '@shipworthy/domain';
import type { GateChangeStore } from '@shipworthy/domain/ports';
import type { GateDecision } from '@shipworthy/domain/readiness';
import { asJson } from './dialect.js';
import { among, expression, query, type TableOf } from './query.js';
import { whereHoldsWords } from './search-sql.js';
import { type Access, keysetPage, removeInPortions } from './sql.js';

interface GateChangeRow {
  readonly id: string;
  readonly team_id: string;
  readonly release_id: string;
  readonly noted_at: number;
  readonly at: number;
  readonly decision_before: GateDecision;
  readonly decision: GateDecision;
  readonly reason: string | null;
}

interface ReadRow {
  readonly user_id: string;
  readonly read_up_to: number;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    gate_changes: TableOf<GateChangeRow, 'noted_at' | 'at'>;
    read_gate_changes: TableOf<ReadRow, 'read_up_to'>;
  }
}

/** The key of the advisory lock that a transaction holds while it stores gate changes. */
const NOTING_LOCK = 7_390_214_883;

/** Stores changes. Each transaction waits for the one before, so that changes become visible in the order of `noted_at`. */
const append = (access: Access, changes: readonly GateChange[], now: Instant): Promise<void> =>
  access.atomically(async (inside) => {
    const { dialect } = inside;
    if (dialect.name === 'postgres') await inside.write('select pg_advisory_xact_lock(?)', [NOTING_LOCK]);
    const [newest] = await query(inside).from('gate_changes').orderBy('noted_at', 'desc').limit(1).select('noted_at');
    const first = Math.max(now, (newest?.noted_at ?? 0) + 1);
    const rows = changes.map(({ id, teamId, releaseId, at, before, after, reason }, place) => ({
      id,
      team_id: teamId,
      release_id: releaseId,
      noted_at: dialect.moment(first + place),
      at: dialect.moment(at),
      decision_before: before,
      decision: after,
      reason: reason && asJson(reason),
    }));
    await query(inside).from('gate_changes').insert(rows);
  });

interface ListedRow extends GateChangeRow {
  readonly release_name: string;
  readonly project_id: string;
  readonly project_name: string;
}

const changeOf = (row: ListedRow): ListedGateChange => ({
  id: row.id,
  teamId: row.team_id,
  project: { id: row.project_id, name: row.project_name },
  release: { id: row.release_id, name: row.release_name },
  at: row.at,
  notedAt: row.noted_at,
  before: row.decision_before,
  after: row.decision,
  reason: row.reason === null ? null : (JSON.parse(row.reason) as ListedGateChange['reason']),
});

/** The text that a search looks in, as `namesOfGateChange` makes it. */
const SEARCHED_TEXT = "(p.name || ' ' || r.name)";

const ofTeams = (access: Access, teamIds: readonly string[]) =>
  query(access)
    .from('gate_changes as c')
    .join('releases as r', 'r.id', 'c.release_id')
    .join('projects as p', 'p.id', 'r.project_id')
    .join('teams as t', 't.id', 'p.team_id')
    .where(among(access, 'c.team_id', 'id', teamIds))
    .whereNull('p.archived_at')
    .whereNull('t.archived_at');

const countAfter = async (access: Access, teamIds: readonly string[], after: Instant, most: number) => {
  const later = ofTeams(access, teamIds).where('c.noted_at', '>', access.dialect.moment(after)).limit(most);
  const [counted] = await query(access)
    .from(later.select(expression(access, '1 as one')).as('later'))
    .count<{ readonly unread: number }[]>({ unread: '*' });
  return Number(counted?.unread ?? 0);
};

const readUpTo = async (access: Access, userId: string): Promise<Instant | undefined> => {
  const row = await query(access)
    .from('users as u')
    .leftJoin('read_gate_changes as g', 'g.user_id', 'u.id')
    .where('u.id', userId)
    .first<{ readonly created_at: number; readonly read_up_to: number | null } | undefined>(
      'u.created_at',
      'g.read_up_to',
    );
  return row && (row.read_up_to ?? row.created_at);
};

export const gateChangeStore = (access: Access): GateChangeStore => ({
  append: (changes, now) => append(access, changes, now),
  page: (teamIds, page, text) => {
    const rows = ofTeams(access, teamIds).select(
      'c.*',
      'r.name as release_name',
      'p.id as project_id',
      'p.name as project_name',
    );
    whereHoldsWords(access, rows, SEARCHED_TEXT, text);
    const listing = { rows, sort: [{ name: 'c.noted_at', kind: 'moment' }], descending: true } as const;
    return keysetPage(access, listing, page, changeOf, ({ notedAt }) => [notedAt]);
  },
  countAfter: (teamIds, after, most) => countAfter(access, teamIds, after, most),
  readUpTo: (userId) => readUpTo(access, userId),
  setReadUpTo: async (userId, upTo) => {
    const read_up_to = access.dialect.moment(upTo);
    const row = query(access).from('read_gate_changes').insert({ user_id: userId, read_up_to });
    await row.onConflict('user_id').merge({ read_up_to });
  },
  removeBefore: (before) => removeInPortions(access, 'gate_changes', 'noted_at < ?', access.dialect.moment(before)),
});
