import { DomainError, type Team, type TeamOverview, type TeamStore } from '@shipworthy/domain';
import { removeTeam } from './demo.js';
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

const demoOf = ({ teams }: Tables): Team | undefined => teams.all().find(({ demo }) => demo);

export const teamStore = ({ read, change }: TableAccess): TeamStore => ({
  create: (team, owner) =>
    change((tables) => {
      if (team.demo && demoOf(tables) !== undefined) throw new DomainError('name-taken', 'There is a demo already.');
      const slug = numbered(team.slug, (candidate) => tables.teams.where('slug', candidate).length > 0);
      const stored = { ...team, slug };
      tables.teams.put(team.id, stored);
      tables.memberships.put(keyOf(owner.teamId, owner.userId), owner);
      return stored;
    }),
  byId: (teamId) => read(({ teams }) => teams.get(teamId)),
  demo: () => read(demoOf),
  removeDemo: (teamId) =>
    change((tables) => {
      if (tables.teams.get(teamId)?.demo !== true) return false;
      removeTeam(tables, teamId);
      return true;
    }),
  replace: ({ id, name, slug, version }) =>
    change(({ teams }) => {
      const before = teams.get(id);
      if (before?.version !== version - 1) return false;
      teams.put(id, { ...before, name, slug, version });
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
        if (found === undefined) return [];
        const { name, email, emailVerified, disabledAt } = found.user;
        return [{ userId, name, email, emailVerified, disabled: disabledAt !== null, role }];
      });
      return ascending(members, ({ name, userId }) => [name, userId]);
    }),
  ownerless: () =>
    read(({ teams, memberships, users }) => {
      const isOwned = ({ id }: Team) =>
        memberships
          .where('team', id)
          .some(({ userId, role }) => role === 'owner' && users.get(userId)?.user.disabledAt === null);
      return ascending(
        teams.all().filter((team) => !isOwned(team)),
        ({ name, id }) => [name, id],
      );
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
