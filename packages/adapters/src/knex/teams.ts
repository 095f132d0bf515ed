import type { Member, Membership, Role, Team, TeamOverview } from '@shipworthy/domain';
import type { TeamStore } from '@shipworthy/domain/ports';
import { type Access, groupedBy, insertUnlessThere, remove, storeUnderFreeSlug, update } from './sql.js';

export const teamStore = (access: Access): TeamStore => ({
  create: (team, owner) => create(access, team, owner),
  byId: async (teamId) => {
    const [row] = await access.read<TeamRow>(`select ${COLUMNS} from teams where id = ?`, [teamId]);
    return row && teamOf(row);
  },
  demo: async () => {
    const [row] = await access.read<TeamRow>(`select ${COLUMNS} from teams where demo = 1`);
    return row && teamOf(row);
  },
  removeDemo: (teamId) => removeDemo(access, teamId),
  replace: async ({ id, name, slug, version }) =>
    (await update(access, 'teams', { name, slug, version }, 'id = ? and version = ?', [id, version - 1])) === 1,
  overview: async (teamIds) => {
    const rows = await access.read<OverviewRow>(
      `select ${COLUMNS}, p.id as project_id, p.name as project_name, p.slug as project_slug,
          r.id as release_id, r.name as release_name
        from teams left join projects p on p.team_id = teams.id
          left join releases r on r.project_id = p.id and r.state = 'active'
        where ${access.dialect.among('teams.id', 'id')} order by teams.name, teams.id, p.name, p.id`,
      [access.dialect.list(teamIds)],
    );
    return overviewOf(rows);
  },
  lock: async (teamId) => {
    await access.write(`select id from teams where id = ? ${access.dialect.forUpdate}`, [teamId]);
  },
  members: async (teamId) => {
    const rows = await access.read<MemberRow>(
      `select u.id as "userId", u.name, u.email, u.email_verified, u.disabled_at, m.role
        from memberships m join users u on u.id = m.user_id where m.team_id = ? order by u.name, u.id`,
      [teamId],
    );
    return rows.map(({ email_verified, disabled_at, ...member }) => ({
      ...member,
      emailVerified: email_verified === 1,
      disabled: disabled_at !== null,
    }));
  },
  ownerless: async () => {
    const rows = await access.read<TeamRow>(
      `select ${COLUMNS} from teams where not exists (select 1 from memberships m join users u on u.id = m.user_id
        where m.team_id = teams.id and m.role = 'owner' and u.disabled_at is null) order by teams.name, teams.id`,
    );
    return rows.map(teamOf);
  },
  addMember: (membership) => addMember(access, membership),
  changeRole: async (teamId: string, userId: string, role: Role) =>
    (await update(access, 'memberships', { role }, 'team_id = ? and user_id = ?', [teamId, userId])) === 1,
  removeMember: async (teamId, userId) =>
    (await remove(access, 'memberships', 'team_id = ? and user_id = ?', [teamId, userId])) === 1,
});

/** Removes the team with all that belongs to it, if it carries the mark of a demo. */
const removeDemo = (access: Access, teamId: string): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { forUpdate } = inside.dialect;
    const [demo] = await inside.write(`select id from teams where id = ? and demo = 1 ${forUpdate}`, [teamId]);
    if (demo === undefined) return false;
    // Reports and imports hold their project; they are waited for, and find it gone afterwards.
    await inside.write(`${PROJECTS} ${forUpdate}`, [teamId]);
    for (const [table, condition] of CONTENTS) await inside.write(`delete from ${table} where ${condition}`, [teamId]);
    return true;
  });

const PROJECTS = 'select id from projects where team_id = ?';
const RELEASES = `select id from releases where project_id in (${PROJECTS})`;
const WEBHOOKS = `select id from webhooks where project_id in (${PROJECTS})`;
const ISSUES = `select id from issues where project_id in (${PROJECTS})`;

/**
 * What belongs to a team, each table before those it points to. The revisions (`release_marks`) come first: what writes
 * a release's trend holds them to the end, and writes nothing once they are gone.
 */
const CONTENTS: readonly (readonly [table: string, condition: string])[] = [
  ['release_marks', `release_id in (${RELEASES})`],
  ['webhook_deliveries', `webhook_id in (${WEBHOOKS})`],
  ['webhooks', `project_id in (${PROJECTS})`],
  ['release_moves', `release_id in (${RELEASES})`],
  ['unmoved_revisions', `release_id in (${RELEASES})`],
  ['history_points', `release_id in (${RELEASES})`],
  ['waivers', `release_id in (${RELEASES})`],
  ['latest_test_runs', `release_id in (${RELEASES})`],
  ['test_runs', `project_id in (${PROJECTS})`],
  ['release_activations', `release_id in (${RELEASES})`],
  ['frozen_reports', `release_id in (${RELEASES})`],
  ['checklist_items', `release_id in (${RELEASES})`],
  ['issue_events', `issue_id in (${ISSUES})`],
  ['issues', `project_id in (${PROJECTS})`],
  ['deployments', `project_id in (${PROJECTS})`],
  ['deployment_counts', `project_id in (${PROJECTS})`],
  ['releases', `project_id in (${PROJECTS})`],
  ['event_sources', `project_id in (${PROJECTS})`],
  ['badges', `project_id in (${PROJECTS})`],
  ['repository_links', `project_id in (${PROJECTS})`],
  ['checklist_templates', `project_id in (${PROJECTS})`],
  ['policies', `project_id in (${PROJECTS})`],
  ['former_project_names', `project_id in (${PROJECTS})`],
  ['api_keys', 'team_id = ?'],
  ['projects', 'team_id = ?'],
  ['invitations', 'team_id = ?'],
  ['audit', 'team_id = ?'],
  ['memberships', 'team_id = ?'],
  ['teams', 'id = ? and demo = 1'],
];

interface TeamRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly version: number;
  readonly created_at: number;
  readonly demo: number | null;
}

interface MemberRow extends Omit<Member, 'emailVerified' | 'disabled'> {
  readonly email_verified: number;
  readonly disabled_at: number | null;
}

interface OverviewRow extends TeamRow {
  readonly project_id: string | null;
  readonly project_name: string;
  readonly project_slug: string;
  readonly release_id: string | null;
  readonly release_name: string;
}

const COLUMNS = 'teams.id, teams.name, teams.slug, teams.version, teams.created_at, teams.demo';

const teamOf = (row: TeamRow): Team => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  version: row.version,
  createdAt: row.created_at,
  demo: row.demo === 1,
});

const overviewOf = (rows: readonly OverviewRow[]): readonly TeamOverview[] => {
  const teams = groupedBy(rows, ({ id }) => id);
  return [...teams.values()].flatMap((ofTeam) => {
    const [first] = ofTeam;
    if (first === undefined) return [];
    const projects = ofTeam.flatMap((row) => {
      if (row.project_id === null) return [];
      const activeRelease = row.release_id === null ? null : { id: row.release_id, name: row.release_name };
      return [{ id: row.project_id, name: row.project_name, slug: row.project_slug, activeRelease }];
    });
    return [{ team: teamOf(first), projects }];
  });
};

const addMember = (access: Access, { teamId, userId, role, createdAt }: Membership): Promise<boolean> => {
  const columns = { team_id: teamId, user_id: userId, role, created_at: access.dialect.moment(createdAt) };
  return insertUnlessThere(access, 'memberships', columns, 'team_id, user_id');
};

const create = (access: Access, team: Team, owner: Membership): Promise<Team> =>
  access.atomically(async (inside) => {
    const taken = await inside.read<{ slug: string }>(`select slug from teams where slug = ? or slug like ?`, [
      team.slug,
      `${team.slug}-%`,
    ]);
    const { id, name, version } = team;
    const mark = team.demo ? { demo: 1 } : {};
    const created_at = access.dialect.moment(team.createdAt);
    const slug = await storeUnderFreeSlug(
      team.slug,
      taken.map((row) => row.slug),
      (free) => insertUnlessThere(inside, 'teams', { id, name, slug: free, version, created_at, ...mark }, 'slug'),
    );
    await addMember(inside, owner);
    return { ...team, slug };
  });
