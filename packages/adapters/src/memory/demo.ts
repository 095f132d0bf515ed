import { dayOf, keyOf, type Tables } from './tables.js';

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
  for (const { environment, day } of tables.dailyCounts.where('project', projectId))
    tables.dailyCounts.remove(keyOf(projectId, environment, dayOf(day)));
  for (const { id, external } of tables.testRuns.where('project', projectId)) {
    tables.externals.remove(keyOf('test_run', projectId, external?.id ?? null));
    tables.testRuns.remove(id);
  }
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
  tables.projects.remove(projectId);
};

/** Removes a team with all that belongs to it. */
export const removeTeam = (tables: Tables, teamId: string): void => {
  for (const { id } of tables.projects.where('team', teamId)) removeProject(tables, teamId, id);
  for (const key of tables.apiKeys.all()) if (key.teamId === teamId) tables.apiKeys.remove(key.id);
  for (const { id, team } of tables.invitations.all()) if (team?.id === teamId) tables.invitations.remove(id);
  for (const { id } of tables.audit.where('team', teamId)) tables.audit.remove(id);
  for (const { userId } of tables.memberships.where('team', teamId)) tables.memberships.remove(keyOf(teamId, userId));
  tables.teams.remove(teamId);
};
