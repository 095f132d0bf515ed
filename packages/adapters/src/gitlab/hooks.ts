import { createHash } from 'node:crypto';
import { DomainError, invalid } from '@shipworthy/domain';
import type { HookDelivery, HookNotice, HostHooks, ImportPart } from '@shipworthy/domain/ports';
import { hookSecrets, isSameSecret } from '../host-http/host-secrets.js';
import { type Fields, fieldsOf, within } from './api.js';

/** What each event (`X-Gitlab-Event`) may have changed. Job events are ignored: many come, then a pipeline event. */
const PARTS: Readonly<Record<string, readonly ImportPart[]>> = {
  'Issue Hook': ['issues'],
  'Confidential Issue Hook': ['issues'],
  'Work Item Hook': ['issues'],
  'Milestone Hook': ['milestones', 'issues'],
  'Deployment Hook': ['deployments'],
  'Pipeline Hook': ['test_runs'],
};
const FINISHED: ReadonlySet<unknown> = new Set(['success', 'failed']);
/** A usable id of a delivery: far longer than GitLab's are, and short enough to be stored as a key. */
const ID = /^[\x21-\x7e]{1,200}$/;

const noDelivery = (): DomainError =>
  invalid([{ pointer: '', code: 'no-delivery', message: 'this is not a webhook delivery of GitLab' }]);

const idOf = (value: unknown): string | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? String(value) : null;

interface HookPayload {
  readonly projectId: string | null;
  readonly attributes: Fields | undefined;
}

const payloadOf = (delivery: HookDelivery): HookPayload => {
  try {
    const body = fieldsOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(delivery.body)));
    const projectId = idOf(body.project_id) ?? idOf(within(body, 'project')?.id);
    return { projectId, attributes: within(body, 'object_attributes') };
  } catch {
    throw noDelivery();
  }
};

const partsOf = (event: string, attributes: Fields | undefined): readonly ImportPart[] => {
  const isUnfinished = event === 'Pipeline Hook' && !FINISHED.has(attributes?.status);
  return isUnfinished || !Object.hasOwn(PARTS, event) ? [] : (PARTS[event] ?? []);
};

/** Returns issues that may be gone: a confidential one may be hidden, a moved one has an id in another project. */
const suspectsOf = (event: string, projectId: string, attributes: Fields | undefined): readonly string[] => {
  const number = idOf(attributes?.iid);
  const isSuspect = event === 'Confidential Issue Hook' || (attributes?.moved_to_id ?? null) !== null;
  return number !== null && isSuspect && partsOf(event, attributes).includes('issues')
    ? [`${projectId}-${number}`]
    : [];
};

/**
 * Returns an id that is the same for every repetition of a delivery: `Idempotency-Key` (GitLab 17.4 and later). Older
 * versions: `X-Gitlab-Event-UUID` with a digest of the body, since different deliveries may share that UUID.
 */
const deliveryIdOf = ({ headers, body }: HookDelivery): string => {
  const { 'idempotency-key': key = '', 'x-gitlab-event-uuid': uuid = '' } = headers;
  if (ID.test(key)) return key;
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return `${ID.test(uuid) ? uuid : ''}:${digest}`;
};

/**
 * GitLab's webhooks. From its documentation: `X-Gitlab-Event` names the event and `X-Gitlab-Token` carries the secret as it
 * was entered; the body is not signed. Deleting an issue sets off no event.
 */
export const gitlabHooks = (secretKey: Uint8Array): HostHooks => {
  const secretOf = hookSecrets(secretKey, 'gitlab');
  return {
    events: ['Issues events', 'Confidential issues events', 'Milestone events', 'Deployment events', 'Pipeline events'],
    secretOf,
    read: (delivery): HookNotice => {
      const event = delivery.headers['x-gitlab-event'];
      if (event === undefined) throw noDelivery();
      const { projectId, attributes } = payloadOf(delivery);
      if (projectId === null) throw noDelivery();
      if (!isSameSecret(delivery.headers['x-gitlab-token'] ?? '', secretOf(projectId, delivery.projectId ?? ''))) {
        throw new DomainError(
          'wrong-signature',
          'The delivery does not carry the secret of its repository and project.',
        );
      }
      return {
        deliveryId: deliveryIdOf(delivery),
        repositoryId: projectId,
        parts: partsOf(event, attributes),
        suspectIssueIds: suspectsOf(event, projectId, attributes),
      };
    },
  };
};
