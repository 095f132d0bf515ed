import { Count, Id, Rate, ScoreOrNull, Text, Timestamp, TimestampOrNull } from './field.js';
import { Decision, Reason } from './gate.js';
import type { Operation } from './operation.js';
import { list, record } from './record.js';
import type { FromSchema } from './schema.js';
import { IsDemo, Slug } from './team.js';

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
            release: record({ properties: { id: Id, name: Text } }),
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
  description: 'By team name, then project name; never paged.',
  auth: { kind: 'key', scope: 'read' },
  costly: true,
  success: { status: 200, body: list(PortfolioEntry) },
  problems: [],
} as const satisfies Operation;
