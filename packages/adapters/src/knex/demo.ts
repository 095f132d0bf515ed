import type { Access } from './sql.js';

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

/** Removes the team with all that belongs to it, if it carries the mark of a demo. */
export const removeDemo = (access: Access, teamId: string): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { forUpdate } = inside.dialect;
    const [demo] = await inside.write(`select id from teams where id = ? and demo = 1 ${forUpdate}`, [teamId]);
    if (demo === undefined) return false;
    // Reports and imports hold their project; they are waited for, and find it gone afterwards.
    await inside.write(`${PROJECTS} ${forUpdate}`, [teamId]);
    for (const [table, condition] of CONTENTS) await inside.write(`delete from ${table} where ${condition}`, [teamId]);
    return true;
  });
