import { Count, HttpUrl, Id, Named, Rate, ScoreOrNull, Text, Timestamp, TimestampOrNull, Version } from './field.js';
import { Decision, Reason } from './gate.js';
import type { Operation } from './operation.js';
import { PROJECT, TEAM } from './path.js';
import { envelope, type FromSchema, list, record } from './schema.js';
import { ActiveRelease, ArchivedAt, IsDemo, Slug } from './team.js';

export const Project = record({
  title: 'Project',
  description: 'What is released. Deployments are matched to it by its name.',
  properties: {
    id: Id,
    team_id: Id,
    name: { ...Text, description: 'Unique within the team, compared exactly; what `app_name` must equal.' },
    slug: Slug,
    active_release: ActiveRelease,
    repository: {
      oneOf: [
        record({ properties: { path: { type: 'string', description: 'Owner and name.' }, url: HttpUrl } }),
        { type: 'null' },
      ],
      description: 'The linked repository; null: none is. Only where one project is read.',
    },
    version: Version,
    created_at: Timestamp,
    archived_at: ArchivedAt,
  },
  optional: ['repository'],
});
export type Project = FromSchema<typeof Project>;

const ProjectRequest = record({
  title: 'ProjectRequest',
  properties: { name: Text },
  examples: [{ name: 'checkout' }],
});

export const listProjects = {
  method: 'GET',
  path: `${TEAM}/projects`,
  tag: 'projects',
  summary: 'List the projects of a team by name',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: list(Project) },
  problems: [],
} as const satisfies Operation;

export const createProject = {
  method: 'POST',
  path: `${TEAM}/projects`,
  tag: 'projects',
  summary: 'Create a project',
  description:
    'Who is in teams whose projects have 2,000 names together, former ones included, is refused (422 with the code `too-many` at `/name`).',
  auth: { kind: 'session', role: 'member' },
  body: ProjectRequest,
  idempotent: true,
  success: { status: 201, body: envelope(Project) },
  location: `${TEAM}/projects/{id}`,
  problems: ['name-taken'],
} as const satisfies Operation;

export const readProject = {
  method: 'GET',
  path: PROJECT,
  tag: 'projects',
  summary: 'Read a project',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: envelope(Project) },
  problems: [],
} as const satisfies Operation;

export const renameProject = {
  method: 'PATCH',
  path: PROJECT,
  tag: 'projects',
  summary: 'Rename a project',
  description:
    'Moves no record: what was accepted under the old name stays. The old name is refused from then on. Refused, as creating a ' +
    'project is, to who is in teams with 2,000 names of projects.',
  auth: { kind: 'session', role: 'owner' },
  ifMatch: 'optional',
  body: ProjectRequest,
  success: { status: 200, body: envelope(Project) },
  problems: ['name-taken'],
} as const satisfies Operation;

export const archiveProject = {
  method: 'POST',
  path: `${PROJECT}/archive`,
  tag: 'projects',
  summary: 'Archive a project',
  description: 'It is left out of the portfolio. Nothing else changes: reports to it count, and its gate answers.',
  auth: { kind: 'session', role: 'owner' },
  repeatable: true,
  success: { status: 200, body: envelope(Project) },
  problems: [],
} as const satisfies Operation;

export const restoreProject = {
  method: 'POST',
  path: `${PROJECT}/restore`,
  tag: 'projects',
  summary: 'Restore an archived project',
  auth: { kind: 'session', role: 'owner' },
  repeatable: true,
  success: { status: 200, body: envelope(Project) },
  problems: [],
} as const satisfies Operation;

export const PortfolioEntry = record({
  title: 'PortfolioEntry',
  description: 'A project with the readiness of its active release.',
  properties: {
    team: record({ properties: { id: Id, name: Text, slug: Slug, demo: IsDemo } }),
    project: record({ properties: { id: Id, name: Text, slug: Slug } }),
    readiness: {
      oneOf: [
        record({
          properties: {
            release: Named,
            as_of: Timestamp,
            score: ScoreOrNull,
            coverage: Rate,
            decision: Decision,
            decision_without_waivers: Decision,
            waivers: { ...Count, description: 'How many waivers apply.' },
            reason: { oneOf: [Reason, { type: 'null' }], description: 'The first reason that is not waived.' },
            trend: {
              type: 'array',
              items: record({ properties: { at: Timestamp, score: ScoreOrNull } }),
              description: 'The last points of the history, oldest first.',
            },
          },
        }),
        { type: 'null' },
      ],
      description: 'null: no release is active.',
    },
    last_deployment_at: { ...TimestampOrNull, description: 'When a deployment was last reported.' },
    last_test_run_at: { ...TimestampOrNull, description: 'When a test run was last recorded.' },
  },
});
export type PortfolioEntry = FromSchema<typeof PortfolioEntry>;

export const readPortfolio = {
  method: 'GET',
  path: '/api/portfolio',
  tag: 'projects',
  summary: 'Read all projects in sight with their readiness',
  description:
    'By team name, then project name; never paged. Archived projects, and those of archived teams, are left out.',
  auth: { kind: 'key', scope: 'read' },
  costly: true,
  success: { status: 200, body: list(PortfolioEntry) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const SearchResult = record({
  title: 'SearchResult',
  description: 'Something that was found by its name, with its place.',
  properties: {
    kind: { type: 'string', enum: ['project', 'release', 'issue'] },
    id: Id,
    name: Text,
    match: {
      type: 'string',
      enum: ['exact', 'prefix', 'word', 'part'],
      description: 'The name is the text, begins with it, has a word that begins with it, or holds all of its words.',
    },
    state: {
      type: ['string', 'null'],
      enum: ['planned', 'active', 'shipped', 'todo', 'in_progress', 'done', 'canceled', null],
      description: 'The state of the release or issue; null: it is a project.',
    },
    team: Named,
    project: { ...Named, description: 'The project that it belongs to, or is.' },
  },
});
export type SearchResult = FromSchema<typeof SearchResult>;

export const search = {
  method: 'GET',
  path: '/api/search',
  tag: 'projects',
  summary: 'Find projects, releases and issues by name',
  description:
    'Everything in sight whose name holds all words of the text, in any case; of several words some may be those of the project. The ' +
    'best matches first, then projects by name, then releases and issues, newest first. A project is also found by its slug, an issue ' +
    'by its number at its host (`42` or `#42`), and each by its id. What is archived is found, too.',
  auth: { kind: 'key', scope: 'read' },
  query: record({
    properties: {
      q: { ...Text, maxLength: 100, description: 'What to look for.', examples: ['checkout 2.4'] },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'The most that is answered.' },
    },
    optional: ['limit'],
  }),
  costly: true,
  success: { status: 200, body: list(SearchResult) },
  problems: [],
  fromReplica: true,
  group: 'search',
} as const satisfies Operation;
