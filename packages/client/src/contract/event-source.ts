import { Text } from './field.js';
import type { Operation } from './operation.js';
import { PROJECT } from './path.js';
import { envelope, record } from './record.js';
import type { FromSchema } from './schema.js';

/** A hundred sources of 500 characters fit in, whatever characters they are. */
export const EVENT_SOURCES_BYTES = 262_144;

const Source = { ...Text, maxLength: 500, examples: ['/ci/acme'] } as const;

export const EventSources = record({
  title: 'EventSources',
  description: 'The texts of CDEvents that stand for a project.',
  properties: {
    sources: {
      type: 'array',
      items: Source,
      maxItems: 100,
      uniqueItems: true,
      description:
        'Compared exactly with `context.source`, `subject.source`, and `testSuite.id` or the `subject.id` of a service. Each stands for one project of a team.',
    },
  },
  examples: [{ sources: ['/ci/acme/checkout', 'checkout-unit'] }],
});
export type EventSources = FromSchema<typeof EventSources>;

export const readEventSources = {
  method: 'GET',
  path: `${PROJECT}/event-sources`,
  tag: 'projects',
  summary: 'Read which events are those of a project',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: envelope(EventSources) },
  problems: [],
} as const satisfies Operation;

export const replaceEventSources = {
  method: 'PUT',
  path: `${PROJECT}/event-sources`,
  tag: 'projects',
  summary: 'Set which events are those of a project',
  description: 'In the place of those set before. What was recorded stays where it is.',
  auth: { kind: 'session', role: 'member' },
  body: EventSources,
  bodyLimit: EVENT_SOURCES_BYTES,
  repeatable: true,
  success: { status: 200, body: envelope(EventSources) },
  problems: ['event-source-taken'],
} as const satisfies Operation;
