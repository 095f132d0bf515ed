import { MAX_INTEGER, Text } from './field.js';
import { record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

const MOST_WORDS = 50;
const MOST_MILESTONES = 100;

const Words = { type: 'array', items: Text, maxItems: MOST_WORDS } as const satisfies Schema;

const filterParts = {
  labels: { ...Words, description: 'At least one of them, in any case; empty: whatever the labels.' },
  path_prefix: {
    ...Text,
    type: ['string', 'null'],
    description: 'A path the title or a label of the issue names, or one below it; null: whatever the path.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

const mappingParts = {
  bug: { ...Words, description: "The host's types and labels that make an issue a bug; empty: the usual ones." },
  feature: Words,
  chore: Words,
  in_progress: { ...Words, description: 'Labels of open issues that are being worked on.' },
  critical: { ...Words, description: 'Labels that say how bad a bug is.' },
  major: Words,
  minor: Words,
} as const satisfies Readonly<Record<string, Schema>>;

const Milestones = {
  description: 'Which milestones become releases: all open ones, none, or those of these numbers.',
  oneOf: [
    { type: 'string', enum: ['all', 'none'] },
    {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: MAX_INTEGER },
      maxItems: MOST_MILESTONES,
      uniqueItems: true,
    },
  ],
} as const satisfies Schema;

const Deployments = { type: 'boolean', description: "Whether the host's deployments are imported." } as const;

const TestRuns = {
  type: 'string',
  enum: ['none', 'checks', 'workflows'],
  description: 'What at the host stands in for test runs.',
} as const satisfies Schema;

/** The settings of a link as they are answered: all of them. */
export const linkSettings = {
  issue_filter: record({ title: 'IssueFilter', properties: filterParts }),
  mapping: record({ title: 'IssueMapping', properties: mappingParts }),
  milestones: Milestones,
  deployments: Deployments,
  test_runs: TestRuns,
} as const satisfies Readonly<Record<string, Schema>>;

export const RepositoryRequest = record({
  title: 'RepositoryRequest',
  description: 'Which repository, and what is imported from it.',
  properties: {
    repository: {
      type: 'string',
      pattern: '^[^\\s/]+(/[^\\s/]+)+$',
      minLength: 3,
      maxLength: 300,
      description: 'Owner and name, as in the list of readable repositories.',
    },
    issue_filter: record({
      description: 'Tells the issues of several projects of one repository apart; without it all are imported.',
      properties: filterParts,
      optional: ['labels', 'path_prefix'],
    }),
    mapping: record({
      description: 'What the types and labels of this repository mean, where the usual ones do not.',
      properties: mappingParts,
      optional: ['bug', 'feature', 'chore', 'in_progress', 'critical', 'major', 'minor'],
    }),
    milestones: { ...Milestones, description: `${Milestones.description} \`none\` unless given.` },
    deployments: { ...Deployments, description: `${Deployments.description} false unless given.` },
    test_runs: { ...TestRuns, description: `${TestRuns.description} \`none\` unless given.` },
  },
  optional: ['issue_filter', 'mapping', 'milestones', 'deployments', 'test_runs'],
  examples: [{ repository: 'acme/shop', issue_filter: { path_prefix: 'packages/pay' }, milestones: [12] }],
});
export type RepositoryRequest = FromSchema<typeof RepositoryRequest>;
