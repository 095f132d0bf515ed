import type { SchemaStep } from './migrate.js';

/** The inputs of each point of a trend, so that any past moment can be judged again. Older points have none. */
export const snapshots: SchemaStep = {
  name: 'snapshots',
  statements: ({ types: { integer, json } }) => [
    `alter table history_points add column revision ${integer}`,
    `alter table history_points add column policy_version ${integer}`,
    `alter table history_points add column snapshot ${json}`,
  ],
};

/**
 * Every move of every release, for good. The moves of one revision are one row, since most come many at a time: `moves` is
 * their text, `size` how many they are. Revisions that read the same as the point before them have no point of their own. A time limit has no revision of its own: its moment in milliseconds is its `turn`.
 */
export const moves: SchemaStep = {
  name: 'moves',
  statements: ({ types: { id, text, moment, integer, count }, tableEnd }) => [
    `create table release_moves (
      release_id ${id} not null references releases (id), revision ${count} not null, turn ${count} not null,
      size ${integer} not null, moves ${text} not null, primary key (release_id, revision, turn)) ${tableEnd}`,
    `create table unmoved_revisions (
      release_id ${id} not null references releases (id), second ${count} not null, at ${moment} not null,
      revision ${count} not null, primary key (release_id, second)) ${tableEnd}`,
    'create unique index release_moves_limits on release_moves (release_id, turn) where turn > 0',
  ],
};
