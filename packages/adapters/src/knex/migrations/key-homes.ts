import type { SchemaStep } from './step.js';

/**
 * Where keys belong. The home of a key of all teams, made before homes were known, is the teams its maker is in at the time of
 * this step: a team that its maker is added to later changes nothing about its reports.
 */
export const keyHomes: SchemaStep = {
  name: 'key-homes',
  statements: ({ types: { id, text, json }, jsonArrayOf }) => [
    `alter table api_keys add column project_id ${id} references projects (id)`,
    `alter table api_keys add column home_teams ${json} not null default '[]'`,
    `alter table api_keys add column barred_teams ${json} not null default '[]'`,
    `alter table api_keys add column last_used_address ${text}`,
    `update api_keys set home_teams = coalesce(
      (select ${jsonArrayOf}(m.team_id) from memberships m where m.user_id = api_keys.user_id), '[]')
      where team_id is null`,
  ],
};
