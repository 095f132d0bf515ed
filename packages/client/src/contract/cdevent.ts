import { Deployment } from './deployment.js';
import { CommitSha, Count, Id, Text, Timestamp } from './field.js';
import type { Operation } from './operation.js';
import { PROJECT } from './path.js';
import { Problem } from './problem.js';
import { envelope, type FromSchema, type InterfaceBase, record, type Schema } from './schema.js';
import { TestRun } from './test-run.js';

/** An object schema of a foreign format. It accepts unknown members, since later versions of the format add some. */
const openRecord = <const P extends Readonly<Record<string, Schema>>, const R extends Extract<keyof P, string>>(
  properties: P,
  required: readonly R[],
) => ({ type: 'object', properties, required, additionalProperties: true }) as const;

/** An id or address in a foreign format; it may be longer than our own names. */
const ForeignName = { ...Text, maxLength: 1024 } as const;

const SUBJECT_SOURCE = 'Says whose the event is where nothing nearer does, as `context.source` does.';

const USED = 'service\\.(deployed|upgraded|rolledback)|testsuiterun\\.finished';
/** A text that matches a pattern. */
const matching = (pattern: string, example: string) =>
  ({ type: 'string', minLength: 1, maxLength: 200, pattern, examples: [example] }) as const;

const context = (type: ReturnType<typeof matching>) =>
  openRecord(
    {
      version: { ...Text, description: 'Of the specification; `specversion` since 0.5.', examples: ['0.4.1'] },
      specversion: Text,
      id: { ...ForeignName, description: 'Together with `source` it names the event once and for ever.' },
      source: { ...ForeignName, description: 'Who sent it first; becomes `deployed_by`.' },
      type,
      timestamp: Timestamp,
    },
    ['id', 'source', 'type', 'timestamp'],
  );

const Base64 = {
  type: 'string',
  maxLength: 262_144,
  description: 'Encoded; says nothing here.',
} as const satisfies Schema;

const named = {
  app_name: { ...Text, description: 'The name of the project, exactly; case counts.' },
  project_id: { ...Id, description: 'The project, or which of several with the name.' },
  commit_sha: CommitSha,
} as const;
const Total = { ...Count, description: 'Tests that ran; 0 where the suite broke before the first of them.' } as const;

/** A service was deployed, upgraded or rolled back. https://github.com/cdevents/spec/blob/v0.4.1/continuous-deployment.md */
const cdServiceEventSchema = {
  title: 'CdServiceEvent',
  description:
    'Becomes a deployment with status `success`. One of `service.rolledback` is a return and counts for no release yet.',
  ...openRecord(
    {
      context: context(
        matching(
          '^dev\\.cdevents\\.service\\.(deployed|upgraded|rolledback)(\\.\\d|$)',
          'dev.cdevents.service.deployed.0.2.0',
        ),
      ),
      subject: openRecord(
        {
          id: {
            ...ForeignName,
            description: 'Its last part is the name of the project, unless `customData` names another one.',
          },
          source: { ...ForeignName, description: SUBJECT_SOURCE },
          content: openRecord(
            {
              environment: openRecord({ id: { ...Text, description: 'The environment.', examples: ['production'] } }, [
                'id',
              ]),
              artifactId: {
                ...Text,
                maxLength: 4096,
                description:
                  'Package URL; its version and the commit it names are read, or the digest of its content instead of one.',
              },
            },
            ['environment'],
          ),
        },
        ['id', 'content'],
      ),
      customData: { oneOf: [openRecord(named, []), Base64] },
    },
    ['context', 'subject'],
  ),
  examples: [
    {
      context: {
        version: '0.4.1',
        id: '271069a8-fc18-44f1-b38f-9d70a1695819',
        source: '/ci/acme',
        type: 'dev.cdevents.service.deployed.0.2.0',
        timestamp: '2026-11-20T09:30:00Z',
      },
      subject: {
        id: 'service/checkout',
        source: '/ci/acme',
        type: 'service',
        content: {
          environment: { id: 'production' },
          artifactId: 'pkg:github/acme/checkout@9fceb02d0ae598e95dc970b74767f19372d61af8',
        },
      },
    },
  ],
} as const;
export interface CdServiceEventSchema extends InterfaceBase<typeof cdServiceEventSchema> {}
export const CdServiceEvent: CdServiceEventSchema = cdServiceEventSchema;
export type CdServiceEvent = FromSchema<typeof CdServiceEvent>;

/** A run of a test suite ended. https://github.com/cdevents/spec/blob/v0.4.1/testing-events.md */
const cdSuiteRunEventSchema = {
  title: 'CdSuiteRunEvent',
  description: 'Becomes a test run of the active release, unless it was canceled.',
  ...openRecord(
    {
      context: context(
        matching('^dev\\.cdevents\\.testsuiterun\\.finished(\\.\\d|$)', 'dev.cdevents.testsuiterun.finished.0.2.0'),
      ),
      subject: openRecord(
        {
          id: ForeignName,
          source: { ...ForeignName, description: SUBJECT_SOURCE },
          content: openRecord(
            {
              outcome: {
                type: 'string',
                enum: ['pass', 'fail', 'cancel', 'error', 'success', 'failure'],
                description:
                  '`success` and `failure` since 0.5. Without counts one test that passed, failed or broke; where all passed and the outcome is none of them, one error is added.',
              },
              testSuite: openRecord({ id: Text, name: Text }, ['id']),
            },
            ['outcome'],
          ),
        },
        ['id', 'content'],
      ),
      customData: {
        oneOf: [openRecord({ ...named, total: Total, passed: Count, failed: Count, skipped: Count }, []), Base64],
      },
    },
    ['context', 'subject'],
  ),
  examples: [
    {
      context: {
        version: '0.4.1',
        id: 'c2f2a7d0-1f4e-4b0e-9a63-0c5d3a1e7b42',
        source: '/ci/acme',
        type: 'dev.cdevents.testsuiterun.finished.0.2.0',
        timestamp: '2026-11-20T09:20:00Z',
      },
      subject: {
        id: 'run/4711',
        source: '/ci/acme',
        type: 'testSuiteRun',
        content: {
          outcome: 'fail',
          environment: { id: 'staging' },
          testSuite: { id: 'unit', name: 'Unit tests' },
        },
      },
      customData: { app_name: 'checkout', total: 412, passed: 410, failed: 2 },
    },
  ],
} as const;
export interface CdSuiteRunEventSchema extends InterfaceBase<typeof cdSuiteRunEventSchema> {}
export const CdSuiteRunEvent: CdSuiteRunEventSchema = cdSuiteRunEventSchema;
export type CdSuiteRunEvent = FromSchema<typeof CdSuiteRunEvent>;

/** Every other CDEvent, custom ones included; nothing is made of it. */
const cdOtherEventSchema = {
  title: 'CdOtherEvent',
  description: 'A CDEvent of any other type: taken and not recorded, so that a broker may send everything.',
  ...openRecord(
    {
      context: context(matching(`^dev\\.cdeventsx?\\.(?!(${USED})(\\.\\d|$))`, 'dev.cdevents.build.finished.0.2.0')),
      subject: openRecord({ id: ForeignName }, ['id']),
    },
    ['context', 'subject'],
  ),
} as const;
export interface CdOtherEventSchema extends InterfaceBase<typeof cdOtherEventSchema> {}
export const CdOtherEvent: CdOtherEventSchema = cdOtherEventSchema;

/** Any CDEvent. */
export const CdEvent = { anyOf: [CdServiceEvent, CdSuiteRunEvent, CdOtherEvent] } as const;

const Result = {
  type: 'string',
  enum: ['created', 'duplicate'],
  description: 'Duplicate: the event was received before, and this is the record of that time.',
} as const;
const Reason = {
  type: 'string',
  enum: ['type_not_used', 'not_a_cdevent', 'run_canceled'],
  description: 'Why no record was made of it.',
} as const;
const Ignored = { type: 'string', enum: ['ignored'], description: 'No record was made of it.' } as const;
const yes = { type: 'boolean', enum: [true] } as const;
const no = { type: 'boolean', enum: [false] } as const;

const cdEventReceiptSchema = {
  title: 'CdEventReceipt',
  description: 'What became of one event.',
  oneOf: [
    record({ properties: { recorded: yes, result: Result, deployment: Deployment } }),
    record({ properties: { recorded: yes, result: Result, test_run: TestRun } }),
    record({ properties: { recorded: no, result: Ignored, reason: Reason } }),
  ],
} as const;
export interface CdEventReceiptSchema extends InterfaceBase<typeof cdEventReceiptSchema> {}
export const CdEventReceipt: CdEventReceiptSchema = cdEventReceiptSchema;
export type CdEventReceipt = FromSchema<typeof CdEventReceipt>;

const index = { ...Count, description: 'Place of the event in the request, from 0.' } as const;

const cdEventResultSchema = {
  title: 'CdEventResult',
  description: 'What became of one event of several.',
  oneOf: [
    record({
      properties: { index, result: Result, kind: { type: 'string', enum: ['deployment', 'test_run'] }, id: Id },
    }),
    record({ properties: { index, result: { type: 'string', enum: ['not_recorded'] }, reason: Reason } }),
    record({ properties: { index, result: { type: 'string', enum: ['refused'] }, problem: Problem } }),
  ],
} as const;
export interface CdEventResultSchema extends InterfaceBase<typeof cdEventResultSchema> {}
export const CdEventResult: CdEventResultSchema = cdEventResultSchema;
export type CdEventResult = FromSchema<typeof CdEventResult>;

/** The envelope. https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md */
const cloudEventSchema = {
  title: 'CloudEvent',
  description: 'A CDEvent in the structured mode of CloudEvents.',
  ...openRecord(
    {
      specversion: matching('^1\\.\\d+$', '1.0'),
      id: ForeignName,
      source: ForeignName,
      type: ForeignName,
      data: CdEvent,
    },
    ['specversion', 'id', 'source', 'type', 'data'],
  ),
} as const;
export interface CloudEventSchema extends InterfaceBase<typeof cloudEventSchema> {}
export const CloudEvent: CloudEventSchema = cloudEventSchema;

/** A CloudEvent that is no CDEvent, in structured mode; in binary mode the header `ce-type` shows it. */
const otherCloudEventSchema = {
  title: 'OtherCloudEvent',
  description: 'A CloudEvent of any other kind: ignored, so that a broker may send everything.',
  ...openRecord(
    {
      specversion: matching('^1\\.\\d+$', '1.0'),
      id: ForeignName,
      source: ForeignName,
      type: { ...ForeignName, pattern: '^(?!dev\\.cdeventsx?\\.)', examples: ['com.example.order.paid'] },
    },
    ['specversion', 'id', 'source', 'type'],
  ),
} as const;
export interface OtherCloudEventSchema extends InterfaceBase<typeof otherCloudEventSchema> {}
export const OtherCloudEvent: OtherCloudEventSchema = otherCloudEventSchema;

/** Most events in one request, and most bytes of its body. */
export const CDEVENTS_AT_MOST = 100;
const CDEVENTS_BYTES = 262_144;

const OneEvent = { anyOf: [...CdEvent.anyOf, CloudEvent, OtherCloudEvent] } as const;

const CdEventDelivery = {
  title: 'CdEventDelivery',
  description: 'One CDEvent, bare or as the data of a CloudEvent, or up to 100 of them.',
  anyOf: [...OneEvent.anyOf, { type: 'array', items: OneEvent, minItems: 1, maxItems: CDEVENTS_AT_MOST }],
  examples: CdServiceEvent.examples,
} as const;

export const receiveCdEvent = {
  method: 'POST',
  path: '/api/events',
  tag: 'deployments',
  group: 'cdevents',
  summary: 'Receive CDEvents',
  description:
    'Makes deployments of `service.deployed`, `service.upgraded` and `service.rolledback` (scope `deployments:write`) and test runs of `testsuiterun.finished` (scope `test-runs:write`), versions 0.3 to 0.5; takes every other CDEvent without recording it. A CloudEvent that is no CDEvent is answered 202 and ignored. The project is the one `customData` says, the one the service is named after, the one that has an event source of the event, the one named like its suite or the end of its sources, or the only one. Of teams beyond the home of the key only what `customData` or the name of a service says is heeded, as for other reports. An event is known by its `source` and `id`: received again it answers the same record. Several events are answered one by one.',
  auth: { kind: 'key', scope: null, role: 'member' },
  body: CdEventDelivery,
  bodyMode: 'foreign',
  bodyTypes: ['application/cloudevents+json', 'application/cloudevents-batch+json', 'application/cdevents+json'],
  bodyLimit: CDEVENTS_BYTES,
  repeatable: true,
  success: {
    status: 200,
    otherwise: 202,
    body: envelope({
      oneOf: [CdEventReceipt, { type: 'array', items: CdEventResult, maxItems: CDEVENTS_AT_MOST }],
    }),
  },
  problems: [
    'missing-scope',
    'unknown-app-name',
    'ambiguous-app-name',
    'not-found',
    'no-active-release',
    'release-closed',
    'external-id-conflict',
  ],
} as const satisfies Operation;

/** Most bytes of a body: room for a hundred sources of 500 characters, even where each takes the most bytes. */
const EVENT_SOURCES_BYTES = 262_144;

const Source = { ...Text, maxLength: 500, examples: ['/ci/acme'] } as const;

const EventSources = record({
  title: 'EventSources',
  description: 'The texts of CDEvents that name a project.',
  properties: {
    sources: {
      type: 'array',
      items: Source,
      maxItems: 100,
      uniqueItems: true,
      description:
        'Compared exactly with `context.source`, `subject.source`, and `testSuite.id` or the `subject.id` of a service. Each means one project of a team.',
    },
  },
  examples: [{ sources: ['/ci/acme/checkout', 'checkout-unit'] }],
});

export const readEventSources = {
  method: 'GET',
  path: `${PROJECT}/event-sources`,
  tag: 'projects',
  group: 'cdevents',
  summary: 'Read which events are those of a project',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: envelope(EventSources) },
  problems: [],
} as const satisfies Operation;

export const replaceEventSources = {
  method: 'PUT',
  path: `${PROJECT}/event-sources`,
  tag: 'projects',
  group: 'cdevents',
  summary: 'Set which events are those of a project',
  description: 'In the place of those set before. What was recorded stays where it is.',
  auth: { kind: 'session', role: 'member' },
  body: EventSources,
  bodyLimit: EVENT_SOURCES_BYTES,
  repeatable: true,
  success: { status: 200, body: envelope(EventSources) },
  problems: ['event-source-taken'],
} as const satisfies Operation;
