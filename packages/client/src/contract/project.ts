import { Count, HttpUrl, Id, Named, Rate, ScoreOrNull, Text, Timestamp, TimestampOrNull, Version } from './field.js';
import { Decision, Reason } from './gate.js';
import { CSV_FILE, CSV_LIST_FROM_PRIMARY, type Operation } from './operation.js';
import { PROJECT, TEAM } from './path.js';
import { SourceName } from './readiness.js';
import { envelope, type FromSchema, list, pageOf, pageQuery, record, type Schema } from './schema.js';
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

export const exportProjects = {
  ...CSV_LIST_FROM_PRIMARY,
  path: `${TEAM}/projects.csv`,
  tag: 'projects',
  summary: 'Export the projects of a team as CSV, by name, archived ones included',
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
            main_reason: {
              oneOf: [Reason, { type: 'null' }],
              description:
                'The reason to begin with, of those that are not waived: the axis that misses its minimum by most, else open critical bugs, else the score, whose message names the axis that costs most of it, else what is not measured.',
            },
            open_reasons: { ...Count, description: 'How many reasons are not waived.' },
            silent_sources: {
              type: 'array',
              items: SourceName,
              description: 'Sources from which nothing came for longer than is usual, or than the policy allows.',
            },
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
    last_axis_report_at: { ...TimestampOrNull, description: 'When a report of an own axis was last recorded.' },
  },
});
export type PortfolioEntry = FromSchema<typeof PortfolioEntry>;

const DecisionFilter = {
  type: 'string',
  enum: ['hold', 'unknown', 'go', 'none'],
  description: 'Only projects of which the gate says so; `none`: no release is active.',
} as const satisfies Schema;

const portfolioQuery = {
  q: {
    ...Text,
    maxLength: 100,
    description: 'Every word of it is in the name of the project or of its team, in any case.',
  },
  decision: DecisionFilter,
  team: { ...Id, description: 'Only projects of that team.' },
  silent: {
    type: 'string',
    enum: [...SourceName.enum, 'any'],
    description: 'Only projects of which that source, or either of the two, is silent (see `silent_sources`).',
  },
  sort: {
    type: 'string',
    enum: ['team', 'project', 'decision', 'score', 'reported'],
    description:
      'By names of team and project (unless said), by name of the project, by decision (`hold`, `unknown`, `go`), by score (the least first), by the last report of any source (the oldest first, before it what never reported). Projects without a decision or score come last. Names are compared in any case; equal projects are by names of team and project.',
  },
  order: { type: 'string', enum: ['asc', 'desc'], description: '`desc` turns `sort` round. Only with `sort`.' },
  group: { type: 'string', enum: ['team'], description: 'Keeps the projects of a team together, teams by name.' },
} as const satisfies Readonly<Record<string, Schema>>;

const PORTFOLIO_FILTERS = ['q', 'decision', 'team', 'silent', 'sort', 'order', 'group'] as const;

const { limit, cursor } = pageQuery;
const { data, next_cursor } = pageOf(PortfolioEntry).properties;

export const PortfolioPage = record({
  title: 'PortfolioPage',
  description: 'Projects in sight. All members but `data` are there only where `limit` is sent.',
  properties: {
    data,
    next_cursor,
    total: { ...Count, description: 'All projects in sight that are not archived, without any filter.' },
    counts: record({
      properties: { hold: Count, unknown: Count, go: Count, none: Count },
      description: 'Projects by decision, over all that the filters but `decision` let through; the same on each page.',
    }),
    teams: {
      type: 'array',
      items: record({ properties: { id: Id, name: Text, projects: Count } }),
      description: 'The teams by name, each with how many projects the filters but `team` let through, if any.',
    },
  },
  optional: ['next_cursor', 'total', 'counts', 'teams'],
});
export type PortfolioPage = FromSchema<typeof PortfolioPage>;

export const readPortfolio = {
  method: 'GET',
  path: '/api/portfolio',
  tag: 'projects',
  summary: 'Read the projects in sight with their readiness',
  description:
    'Paged only where `limit` is sent; otherwise all that the filters let through, by team name, then project name, in one answer. Archived projects, and those of archived teams, are left out.',
  auth: { kind: 'key', scope: 'read' },
  query: record({
    properties: {
      ...portfolioQuery,
      limit: {
        type: limit.type,
        minimum: limit.minimum,
        maximum: limit.maximum,
        description: 'Rows per page; unless sent, there are no pages.',
      },
      cursor: { ...cursor, description: 'The `next_cursor` of the page before; only with `limit`.' },
    },
    optional: [...PORTFOLIO_FILTERS, 'limit', 'cursor'],
  }),
  pagedByLimit: true,
  costly: true,
  success: { status: 200, body: PortfolioPage },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportPortfolio = {
  method: 'GET',
  path: '/api/portfolio.csv',
  tag: 'projects',
  summary: 'Export the projects in sight with their readiness as CSV',
  description:
    'All that the filters let through, a line each. By RFC 4180, with a header, as a file. A text that a spreadsheet would take for a formula has an apostrophe before it.',
  auth: { kind: 'key', scope: 'read' },
  query: record({ properties: portfolioQuery, optional: [...PORTFOLIO_FILTERS] }),
  costly: true,
  success: CSV_FILE,
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
