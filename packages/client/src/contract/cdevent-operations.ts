import { CdEvent, CdServiceEvent, ForeignName, matching, openRecord } from './cdevent.js';
import { CdEventReceipt, CdEventResult } from './cdevent-receipt.js';
import type { Operation } from './operation.js';
import { envelope } from './record.js';

/** The envelope. https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md */
export const CloudEvent = {
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

/** A CloudEvent that is no CDEvent, in structured mode; in binary mode it is told by the header `ce-type`. */
export const OtherCloudEvent = {
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

/** The most events one request may bring, and how many bytes. */
export const CDEVENTS_AT_MOST = 100;
export const CDEVENTS_BYTES = 262_144;

const OneEvent = { anyOf: [...CdEvent.anyOf, CloudEvent, OtherCloudEvent] } as const;

export const CdEventDelivery = {
  title: 'CdEventDelivery',
  description: 'One CDEvent, bare or as the data of a CloudEvent, or up to 100 of them.',
  anyOf: [...OneEvent.anyOf, { type: 'array', items: OneEvent, minItems: 1, maxItems: CDEVENTS_AT_MOST }],
  examples: CdServiceEvent.examples,
} as const;

export const receiveCdEvent = {
  method: 'POST',
  path: '/api/events',
  tag: 'deployments',
  summary: 'Receive CDEvents',
  description:
    'Makes deployments of `service.deployed`, `service.upgraded` and `service.rolledback` (scope `deployments:write`) and test runs of `testsuiterun.finished` (scope `test-runs:write`), versions 0.3 to 0.5; takes every other CDEvent without recording it. A CloudEvent that is no CDEvent is answered 202 and ignored. The project is the one `customData` says, the one the service is named after, the one that has an event source of the event, the one named like its suite or the end of its sources, or the only one in sight. An event is known by its `source` and `id`: received again it answers the same record. Several events are answered one by one.',
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
