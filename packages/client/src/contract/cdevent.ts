import { CommitSha, Count, Id, MAX_INTEGER, Text, Timestamp } from './field.js';
import type { FromSchema, Schema } from './schema.js';

/** An object schema of a format of others: what is not known here is let through, since its later versions add to it. */
export const openRecord = <const P extends Readonly<Record<string, Schema>>, const R extends Extract<keyof P, string>>(
  properties: P,
  required: readonly R[],
) => ({ type: 'object', properties, required, additionalProperties: true }) as const;

/** Ids and addresses in formats of others, longer than a label. */
export const ForeignName = { ...Text, maxLength: 1024 } as const;

const SUBJECT_SOURCE = 'Says whose the event is where nothing nearer does, as `context.source` does.';

const USED = 'service\\.(deployed|upgraded|rolledback)|testsuiterun\\.finished';
/** Text of that pattern. */
export const matching = (pattern: string, example: string) =>
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
const Total = { ...Count, minimum: 1, maximum: MAX_INTEGER, description: 'Tests that ran.' } as const;

/** A service was deployed, upgraded or rolled back. https://github.com/cdevents/spec/blob/v0.4.1/continuous-deployment.md */
export const CdServiceEvent = {
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
export type CdServiceEvent = FromSchema<typeof CdServiceEvent>;

/** A run of a test suite ended. https://github.com/cdevents/spec/blob/v0.4.1/testing-events.md */
export const CdSuiteRunEvent = {
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
export type CdSuiteRunEvent = FromSchema<typeof CdSuiteRunEvent>;

/** Every other CDEvent, custom ones included; nothing is made of it. */
export const CdOtherEvent = {
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

/** Any CDEvent. */
export const CdEvent = { anyOf: [CdServiceEvent, CdSuiteRunEvent, CdOtherEvent] } as const;
