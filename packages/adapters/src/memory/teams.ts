import { DomainError, type Team, type TeamOverview } from '@shipworthy/domain';
import type { TeamStore } from '@shipworthy/domain/ports';
import { ascending, numbered } from './table.js';
import { keyOf, type TableAccess, type Tables } from './tables.js';

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
  replace: (next) =>
    change(({ teams }) => {
      const before = teams.get(next.id);
      if (before?.version !== next.version - 1) return false;
      teams.put(next.id, { ...next, createdAt: before.createdAt, demo: before.demo });
      return true;
    }),
  overview: (teamIds) =>
    read((tables) => {
      const teams = [...new Set(teamIds)].flatMap((id) => tables.teams.get(id) ?? []);
      return ascending(teams, ({ name, id }) => [name, id]).map((team) => overviewOf(tables, team));
    }),
  // Transactions run one at a time, so being in one locks everything already.
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
  countOf: (userId) => read(({ memberships }) => memberships.where('user', userId).length),
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

const removeRelease = (tables: Tables, releaseId: string): void => {
  for (const { id } of tables.items.where('release', releaseId)) tables.items.remove(id);
  for (const { id } of tables.waivers.where('release', releaseId)) tables.waivers.remove(id);
  for (const { at } of tables.points.where('release', releaseId))
    tables.points.remove(keyOf(releaseId, Math.floor(at / 1000)));
  for (const { at } of tables.unmoved.where('release', releaseId))
    tables.unmoved.remove(keyOf(releaseId, Math.floor(at / 1000)));
  for (const { revision, turn } of tables.moves.where('release', releaseId))
    tables.moves.remove(keyOf(releaseId, revision, turn));
  for (const { beganAt } of tables.activations.where('release', releaseId))
    tables.activations.remove(keyOf(releaseId, beganAt));
  for (const { suite } of tables.removedLatestRuns.where('release', releaseId))
    tables.removedLatestRuns.remove(keyOf(releaseId, suite));
  for (const { axis } of tables.latestReports.where('release', releaseId))
    tables.latestReports.remove(keyOf(releaseId, axis));
  for (const { id } of tables.gateChanges.where('release', releaseId)) tables.gateChanges.remove(id);
  tables.frozen.remove(releaseId);
  tables.changes.remove(releaseId);
  tables.releases.remove(releaseId);
};

const removeRecords = (tables: Tables, projectId: string): void => {
  for (const { id } of tables.issues.where('project', projectId)) {
    tables.issueEvents.remove(id);
    tables.issues.remove(id);
  }
  for (const { id, external } of tables.deployments.where('project', projectId)) {
    tables.externals.remove(keyOf('deployment', projectId, external?.id ?? null));
    tables.deployments.remove(id);
  }
  for (const { environment, day } of tables.hourlyCounts.where('project', projectId))
    tables.hourlyCounts.remove(keyOf(projectId, environment, day));
  for (const { id, external } of tables.testRuns.where('project', projectId)) {
    tables.externals.remove(keyOf('test_run', projectId, external?.id ?? null));
    tables.testRuns.remove(id);
  }
  for (const { id } of tables.axisReports.where('project', projectId)) tables.axisReports.remove(id);
};

const removeProject = (tables: Tables, teamId: string, projectId: string): void => {
  removeRecords(tables, projectId);
  for (const { id } of tables.releases.where('project', projectId)) removeRelease(tables, id);
  for (const { webhook } of tables.webhooks.where('project', projectId)) {
    for (const { id } of tables.webhookDeliveries.where('webhook', webhook.id))
      tables.webhookDeliveries.remove(keyOf(webhook.id, id));
    tables.webhooks.remove(webhook.id);
  }
  for (const { source } of tables.eventSources.where('project', projectId))
    tables.eventSources.remove(keyOf(teamId, source));
  for (const { linked } of tables.links.where('project', projectId)) tables.links.remove(linked.link.id);
  for (const { version } of tables.policies.where('project', projectId))
    tables.policies.remove(keyOf(projectId, version));
  for (const { name } of tables.formerNames.where('project', projectId))
    tables.formerNames.remove(keyOf(projectId, name));
  tables.checklistTemplates.remove(projectId);
  tables.badges.remove(projectId);
  tables.origins.remove(projectId);
  tables.keptSince.remove(projectId);
  tables.projects.remove(projectId);
};

/** Removes a team with all that belongs to it. */
const removeTeam = (tables: Tables, teamId: string): void => {
  for (const { id } of tables.projects.where('team', teamId)) removeProject(tables, teamId, id);
  for (const key of tables.apiKeys.all()) if (key.teamId === teamId) tables.apiKeys.remove(key.id);
  for (const { id, team } of tables.invitations.all()) if (team?.id === teamId) tables.invitations.remove(id);
  for (const { id } of tables.audit.where('team', teamId)) tables.audit.remove(id);
  for (const { userId } of tables.memberships.where('team', teamId)) tables.memberships.remove(keyOf(teamId, userId));
  tables.teams.remove(teamId);
};

const overviewOf = (tables: Tables, team: Team): TeamOverview => ({
  team,
  projects: ascending(tables.projects.where('team', team.id), ({ name, id }) => [name, id]).map(
    ({ id, name, slug, archivedAt }) => {
      const active = tables.releases.where('project', id).find(({ state }) => state === 'active');
      const archived = archivedAt === undefined ? {} : { archivedAt };
      return {
        id,
        name,
        slug,
        ...archived,
        activeRelease: active === undefined ? null : { id: active.id, name: active.name },
      };
    },
  ),
});

const demoOf = ({ teams }: Tables): Team | undefined => teams.all().find(({ demo }) => demo);
