import type { SchemaStep } from './migrate.js';

/** People, teams, and what lets people and pipelines in. */
export const people: SchemaStep = {
  name: 'people',
  statements: ({ types: { id, text, moment, integer, json }, tableEnd }) => [
    `create table users (
      id ${id} primary key, email ${text} not null, email_key ${text} not null, name ${text} not null,
      administrator ${integer} not null check (administrator in (0, 1)), password_hash ${text} not null,
      created_at ${moment} not null, first ${integer} check (first = 1),
      constraint users_email unique (email_key), constraint users_first unique (first)) ${tableEnd}`,
    `create table teams (
      id ${id} primary key, name ${text} not null, slug ${text} not null, version ${integer} not null,
      created_at ${moment} not null, constraint teams_slug unique (slug)) ${tableEnd}`,
    `create table memberships (
      team_id ${id} not null references teams (id), user_id ${id} not null references users (id),
      role ${text} not null, created_at ${moment} not null, primary key (team_id, user_id)) ${tableEnd}`,
    'create index memberships_user on memberships (user_id)',
    `create table sessions (
      id ${id} primary key, secret_hash ${text} not null, user_id ${id} not null references users (id),
      created_at ${moment} not null, last_seen_at ${moment} not null, expires_at ${moment} not null,
      constraint sessions_secret unique (secret_hash)) ${tableEnd}`,
    'create index sessions_user on sessions (user_id)',
    'create index sessions_expiry on sessions (expires_at)',
    `create table api_keys (
      id ${id} primary key, user_id ${id} not null references users (id), name ${text} not null, scopes ${json} not null,
      team_id ${id} references teams (id), hash ${text} not null, prefix ${text} not null, created_at ${moment} not null,
      expires_at ${moment} not null, last_used_at ${moment}, revoked_at ${moment},
      constraint api_keys_hash unique (hash)) ${tableEnd}`,
    'create index api_keys_user on api_keys (user_id, created_at, id)',
    `create table invitations (
      id ${id} primary key, secret_hash ${text} not null, team_id ${id} references teams (id), role ${text},
      created_by ${text} not null, created_at ${moment} not null, expires_at ${moment} not null, accepted_at ${moment},
      constraint invitations_secret unique (secret_hash)) ${tableEnd}`,
    `create table sign_in_attempts (
      id ${id} primary key, account ${text} not null, address ${text} not null, at ${moment} not null) ${tableEnd}`,
    'create index sign_in_attempts_account on sign_in_attempts (account, at)',
    'create index sign_in_attempts_address on sign_in_attempts (address, at)',
    'create index sign_in_attempts_at on sign_in_attempts (at)',
    `create table known_addresses (
      account ${text} not null, address ${text} not null, primary key (account, address)) ${tableEnd}`,
    `create table audit (
      id ${id} primary key, team_id ${id}, at ${moment} not null, actor_id ${text} not null, actor_name ${text} not null,
      actor_kind ${text} not null, action ${text} not null, resource_type ${text} not null, resource_id ${text} not null,
      address ${text} not null, request_id ${text} not null, detail ${json} not null) ${tableEnd}`,
    'create index audit_team on audit (team_id, at, id)',
    // The id is a digest of caller, operation and key. It is short, since keys come in random order and each write
    // meets another part of the index.
    `create table idempotency (
      id ${text} primary key, fingerprint ${text} not null, at ${moment} not null, status ${integer}, location ${text},
      body ${text}) ${tableEnd}`,
    'create index idempotency_at on idempotency (at)',
  ],
};

/** Which team is the demo; one at most. Every other team has no mark, those from before included. */
export const demo: SchemaStep = {
  name: 'demo',
  statements: ({ types: { integer } }) => [
    `alter table teams add column demo ${integer} check (demo = 1)`,
    'create unique index teams_demo on teams (demo) where demo is not null',
  ],
};

/**
 * Adds verified addresses, invitations bound to an address, and disabled accounts. The addresses of administrators count as
 * verified; those of all other accounts do not yet.
 */
export const acceptance: SchemaStep = {
  name: 'acceptance',
  statements: ({ types: { integer, moment, text } }) => [
    `alter table users add column email_verified ${integer} not null default 0`,
    `alter table users add column disabled_at ${moment}`,
    'update users set email_verified = 1 where administrator = 1',
    'create index users_created on users (created_at, id)',
    `alter table invitations add column email ${text}`,
    `alter table invitations add column email_key ${text}`,
    `alter table invitations add column revoked_at ${moment}`,
    'create index invitations_address on invitations (email_key)',
    'create index invitations_maker on invitations (created_by)',
  ],
};

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

/** The database id, derived from the secret key beside a SQLite file: one row, two while the key is replaced. */
export const identity: SchemaStep = {
  name: 'identity',
  statements: ({ types: { text }, tableEnd }) => [
    `create table database_identity (id ${text} primary key) ${tableEnd}`,
  ],
};

/** The salt of a secret key that can be guessed and is therefore stretched: one row, none for a good key. */
export const keySalt: SchemaStep = {
  name: 'key salt',
  statements: ({ types: { text, integer }, tableEnd }) => [
    `create table key_salt (place ${integer} primary key check (place = 1), salt ${text} not null) ${tableEnd}`,
  ],
};
