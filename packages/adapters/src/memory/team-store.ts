import type { Team, TeamOverview, TeamStore } from '@shipworthy/domain';
import { ascending, numbered } from './order.js';
import type { TableAccess } from './table-access.js';
import { keyOf, type Tables } from './tables.js';

const overviewOf = (tables: Tables, team: Team): TeamOverview => ({
  team,
  projects: ascending(tables.projects.where('team', team.id), ({ name, id }) => [name, id]).map(
    ({ id, name, slug }) => {
      const active = tables.releases.where('project', id).find(({ state }) => state === 'active');
      return { id, name, slug, activeRelease: active === undefined ? null : { id: active.id, name: active.name } };
    },
  ),
});

export const teamStore = ({ read, change }: TableAccess): TeamStore => ({
  create: (team, owner) =>
    change((tables) => {
      const slug = numbered(team.slug, (candidate) => tables.teams.where('slug', candidate).length > 0);
      const stored = { ...team, slug };
      tables.teams.put(team.id, stored);
      tables.memberships.put(keyOf(owner.teamId, owner.userId), owner);
      return stored;
    }),
  byId: (teamId) => read(({ teams }) => teams.get(teamId)),
  replace: (next) =>
    change(({ teams }) => {
      if (teams.get(next.id)?.version !== next.version - 1) return false;
      teams.put(next.id, next);
      return true;
    }),
  overview: (teamIds) =>
    read((tables) => {
      const teams = [...new Set(teamIds)].flatMap((id) => tables.teams.get(id) ?? []);
      return ascending(teams, ({ name, id }) => [name, id]).map((team) => overviewOf(tables, team));
    }),
  // Transactions run one at a time, so whoever is in one holds everything still already.
  lock: () => read(() => undefined),
  members: (teamId) =>
    read(({ memberships, users }) => {
      const members = memberships.where('team', teamId).flatMap(({ userId, role }) => {
        const found = users.get(userId);
        return found === undefined ? [] : [{ userId, name: found.user.name, email: found.user.email, role }];
      });
      return ascending(members, ({ name, userId }) => [name, userId]);
    }),
  addMember: (membership) =>
    change(({ memberships }) => {
      const key = keyOf(membership.teamId, membership.userId);
      if (memberships.get(key) !== undefined) return false;
      memberships.put(key, membership);
      return true;
    }),
  changeRole: (teamId, userId, role) =>
    change(({ memberships }) => {
      const key = keyOf(teamId, userId);
      const membership = memberships.get(key);
      if (membership === undefined) return false;
      memberships.put(key, { ...membership, role });
      return true;
    }),
  removeMember: (teamId, userId) => change(({ memberships }) => memberships.remove(keyOf(teamId, userId))),
});
