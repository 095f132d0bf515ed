import type { AuditEntry, Member, Membership, PageKey, Role, Team, TeamOverview } from '@shipworthy/domain';
import type { AuditFilter, AuditStore, TeamStore } from '@shipworthy/domain/ports';
import type { Knex } from 'knex';
import { asJson } from './dialect.js';
import { lockProjects } from './projects.js';
import { among, column, query, type TableOf } from './query.js';
import { type Access, boundMoment, groupedBy, keysetPage, type Listing, storeUnderFreeSlug } from './sql.js';

export const teamStore = (access: Access): TeamStore => ({
  create: (team, owner) => create(access, team, owner),
  byId: async (teamId) => {
    const row = await query(access)
      .from('teams')
      .where('id', teamId)
      .first(...COLUMNS);
    return row && teamOf(row);
  },
  demo: async () => {
    const row = await query(access)
      .from('teams')
      .where('demo', 1)
      .first(...COLUMNS);
    return row && teamOf(row);
  },
  removeDemo: (teamId) => removeDemo(access, teamId),
  replace: async ({ id, name, slug, version, archivedAt = null }) => {
    const before = query(access)
      .from('teams')
      .where({ id, version: version - 1 });
    return (await before.update({ name, slug, version, archived_at: boundMoment(access, archivedAt) })) === 1;
  },
  overview: async (teamIds) => {
    const rows = await query(access)
      .from('teams')
      .leftJoin('projects as p', 'p.team_id', 'teams.id')
      .leftJoin('releases as r', (by) => by.on('r.project_id', 'p.id').onVal('r.state', 'active'))
      .where(among(access, 'teams.id', 'id', teamIds))
      .orderBy(['teams.name', 'teams.id', 'p.name', 'p.id'])
      .select(COLUMNS.map((name) => `teams.${name}`))
      .select<OverviewRow[]>(
        'p.id as project_id',
        'p.name as project_name',
        'p.slug as project_slug',
        'p.archived_at as project_archived_at',
        'r.id as release_id',
        'r.name as release_name',
      );
    return overviewOf(rows);
  },
  lock: async (teamId) => {
    await query(access).from('teams').where('id', teamId).forUpdate().select('id');
  },
  members: async (teamId) => {
    const rows = await query(access)
      .from('memberships as m')
      .join('users as u', 'u.id', 'm.user_id')
      .where('m.team_id', teamId)
      .orderBy(['u.name', 'u.id'])
      .select<MemberRow[]>('u.id as userId', 'u.name', 'u.email', 'u.email_verified', 'u.disabled_at', 'm.role');
    return rows.map(({ email_verified, disabled_at, ...member }) => ({
      ...member,
      emailVerified: email_verified === 1,
      disabled: disabled_at !== null,
    }));
  },
  countOf: async (userId) => {
    const theirs = query(access).from('memberships').where('user_id', userId);
    const [counted] = await theirs.count<{ readonly teams: number }[]>({ teams: '*' });
    return Number(counted?.teams ?? 0);
  },
  ownerless: async () => {
    const owners = query(access)
      .from('memberships as m')
      .join('users as u', 'u.id', 'm.user_id')
      .where('m.team_id', column(access, 'teams.id'))
      .where('m.role', 'owner')
      .whereNull('u.disabled_at')
      .select('m.team_id');
    const rows = await query(access)
      .from('teams')
      .whereNotExists(owners)
      .orderBy(['name', 'id'])
      .select(...COLUMNS);
    return rows.map(teamOf);
  },
  addMember: (membership) => addMember(access, membership),
  changeRole: async (teamId: string, userId: string, role: Role) => {
    const theirs = query(access).from('memberships').where({ team_id: teamId, user_id: userId });
    return (await theirs.update({ role })) === 1;
  },
  removeMember: async (teamId, userId) => {
    const theirs = query(access).from('memberships').where({ team_id: teamId, user_id: userId });
    return (await theirs.delete()) === 1;
  },
});

/** Removes a demo team with all that belongs to it; returns false for any other team. */
const removeDemo = (access: Access, teamId: string): Promise<boolean> =>
  access.atomically(async (inside) => {
    const demo = await query(inside).from('teams').where({ id: teamId, demo: 1 }).forUpdate().first('id');
    if (demo === undefined) return false;
    const projects = () => query(inside).from('projects').where('team_id', teamId).select('id');
    // Reports and imports lock their project; this waits for them, and later ones find no project.
    const held = await projects();
    await lockProjects(
      inside,
      'alone',
      held.map(({ id }) => id),
    );
    const owners: Readonly<Record<Owner, () => Knex.QueryBuilder>> = {
      project_id: projects,
      release_id: () => query(inside).from('releases').whereIn('project_id', projects()).select('id'),
      webhook_id: () => query(inside).from('webhooks').whereIn('project_id', projects()).select('id'),
      issue_id: () => query(inside).from('issues').whereIn('project_id', projects()).select('id'),
    };
    for (const [table, owner] of CONTENTS) {
      const rows = query(inside).from<object>(table);
      await (owner === 'team_id' ? rows.where('team_id', teamId) : rows.whereIn(owner, owners[owner]())).delete();
    }
    await query(inside).from('teams').where({ id: teamId, demo: 1 }).delete();
    return true;
  });

/** The column by which a row belongs to a record that is deleted with its team. */
type Owner = 'project_id' | 'release_id' | 'webhook_id' | 'issue_id';

/**
 * The tables of a team's records, each before those it refers to. The revisions (`release_marks`) come first: the
 * writer of a release's trend locks their rows until it commits, and writes nothing once they are gone.
 */
const CONTENTS: readonly (readonly [table: string, owner: Owner | 'team_id'])[] = [
  ['release_marks', 'release_id'],
  ['webhook_deliveries', 'webhook_id'],
  ['webhooks', 'project_id'],
  ['release_moves', 'release_id'],
  ['unmoved_revisions', 'release_id'],
  ['history_points', 'release_id'],
  ['gate_changes', 'release_id'],
  ['waivers', 'release_id'],
  ['latest_axis_reports', 'release_id'],
  ['axis_reports', 'project_id'],
  ['latest_test_runs', 'release_id'],
  ['test_runs', 'project_id'],
  ['release_activations', 'release_id'],
  ['frozen_reports', 'release_id'],
  ['checklist_items', 'release_id'],
  ['issue_events', 'issue_id'],
  ['issues', 'project_id'],
  ['deployments', 'project_id'],
  ['deployment_counts', 'project_id'],
  ['releases', 'project_id'],
  ['event_sources', 'project_id'],
  ['badges', 'project_id'],
  ['repository_links', 'project_id'],
  ['checklist_templates', 'project_id'],
  ['policies', 'project_id'],
  ['former_project_names', 'project_id'],
  ['api_keys', 'team_id'],
  ['projects', 'team_id'],
  ['invitations', 'team_id'],
  ['audit', 'team_id'],
  ['memberships', 'team_id'],
];

interface TeamRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly version: number;
  readonly created_at: number;
  readonly demo: number | null;
  readonly archived_at: number | null;
}

interface MemberRow extends Omit<Member, 'emailVerified' | 'disabled'> {
  readonly email_verified: number;
  readonly disabled_at: number | null;
}

interface OverviewRow extends TeamRow {
  readonly project_id: string | null;
  readonly project_name: string;
  readonly project_slug: string;
  readonly project_archived_at: number | null;
  readonly release_id: string | null;
  readonly release_name: string;
}

interface MembershipColumns {
  readonly team_id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly created_at: number;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    teams: TableOf<TeamRow, 'created_at' | 'archived_at'>;
    memberships: TableOf<MembershipColumns, 'created_at'>;
  }
}

const COLUMNS = ['id', 'name', 'slug', 'version', 'created_at', 'demo', 'archived_at'] as const;

const archiving = (archivedAt: number | null) => (archivedAt === null ? {} : { archivedAt });

const teamOf = (row: TeamRow): Team => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  version: row.version,
  createdAt: row.created_at,
  demo: row.demo === 1,
  ...archiving(row.archived_at),
});

const overviewOf = (rows: readonly OverviewRow[]): readonly TeamOverview[] => {
  const teams = groupedBy(rows, ({ id }) => id);
  return [...teams.values()].flatMap((ofTeam) => {
    const [first] = ofTeam;
    if (first === undefined) return [];
    const projects = ofTeam.flatMap((row) => {
      if (row.project_id === null) return [];
      const activeRelease = row.release_id === null ? null : { id: row.release_id, name: row.release_name };
      const archived = archiving(row.project_archived_at);
      return [{ id: row.project_id, name: row.project_name, slug: row.project_slug, ...archived, activeRelease }];
    });
    return [{ team: teamOf(first), projects }];
  });
};

const addMember = async (access: Access, { teamId, userId, role, createdAt }: Membership): Promise<boolean> => {
  const columns = { team_id: teamId, user_id: userId, role, created_at: access.dialect.moment(createdAt) };
  const added = await query(access)
    .from('memberships')
    .insert(columns, ['team_id'])
    .onConflict(['team_id', 'user_id'])
    .ignore();
  return added.length === 1;
};

const create = (access: Access, team: Team, owner: Membership): Promise<Team> =>
  access.atomically(async (inside) => {
    const taken = await query(inside)
      .from('teams')
      .where('slug', team.slug)
      .orWhere('slug', 'like', `${team.slug}-%`)
      .select('slug');
    const { id, name, version } = team;
    const mark = team.demo ? { demo: 1 } : {};
    const created_at = access.dialect.moment(team.createdAt);
    const slug = await storeUnderFreeSlug(
      team.slug,
      taken.map((row) => row.slug),
      async (free) => {
        const columns = { id, name, slug: free, version, created_at, ...mark };
        return (await query(inside).from('teams').insert(columns, ['id']).onConflict('slug').ignore()).length === 1;
      },
    );
    await addMember(inside, owner);
    return { ...team, slug };
  });

interface AuditRow {
  readonly id: string;
  readonly team_id: string | null;
  readonly at: number;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly actor_kind: AuditEntry['actor']['kind'];
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly address: string;
  readonly request_id: string;
  readonly detail: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    audit: TableOf<AuditRow, 'at'>;
  }
}

const entryOf = (row: AuditRow): AuditEntry => ({
  id: row.id,
  teamId: row.team_id,
  at: row.at,
  // The column takes no null: an empty text represents it.
  actor: { userId: row.actor_id || null, name: row.actor_name, kind: row.actor_kind },
  action: row.action,
  resource: { type: row.resource_type, id: row.resource_id },
  address: row.address,
  requestId: row.request_id,
  detail: JSON.parse(row.detail) as Readonly<Record<string, unknown>>,
});

const append = async (access: Access, entry: AuditEntry): Promise<void> => {
  await query(access)
    .from('audit')
    .insert({
      id: entry.id,
      team_id: entry.teamId,
      at: access.dialect.moment(entry.at),
      actor_id: entry.actor.userId ?? '',
      actor_name: entry.actor.name,
      actor_kind: entry.actor.kind,
      action: entry.action,
      resource_type: entry.resource.type,
      resource_id: entry.resource.id,
      address: entry.address,
      request_id: entry.requestId,
      detail: asJson(entry.detail),
    });
};

const listing = (
  access: Access,
  { teamId, userId, action, at }: AuditFilter,
  after: PageKey | null,
  descending: boolean,
): Listing => {
  const { from = null, to = null } = at ?? {};
  const rows = query(access).from('audit').where('team_id', teamId).select('*');
  if (userId !== undefined) rows.where('actor_id', userId);
  // Finds actions that begin with the noun and a point by a range: texts compare by bytes, and `/` comes after `.`.
  if (action !== undefined)
    rows.where((either) =>
      either
        .where('action', action)
        .orWhere((of) => of.where('action', '>=', `${action}.`).where('action', '<', `${action}/`)),
    );
  // On later pages, oldest first, the page's key is the lower bound: with both, a database may begin at the other one.
  if (from !== null && (descending || after === null)) rows.where('at', '>=', access.dialect.moment(from));
  return {
    rows,
    before: to,
    sort: [
      { name: 'at', kind: 'moment' },
      { name: 'id', kind: 'text' },
    ],
    descending,
  };
};

export const auditStore = (access: Access): AuditStore => ({
  append: (entry) => append(access, entry),
  page: (filter, page, order = 'newest-first') =>
    keysetPage(access, listing(access, filter, page.after, order === 'newest-first'), page, entryOf, ({ at, id }) => [
      at,
      id,
    ]),
});
