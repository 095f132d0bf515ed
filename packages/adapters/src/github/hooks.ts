import { createHmac } from 'node:crypto';
import { DomainError, invalid } from '@shipworthy/domain';
import { type HookDelivery, type HostHooks, IMPORT_PARTS, type ImportPart } from '@shipworthy/domain/ports';
import { hookSecrets, isSameSecret } from '../host-http/host-secrets.js';
import { type Fields, fieldsOf, HOST_NAME, TITLE } from './fields.js';

/** What each event may have changed; a function where this depends on the event's action. */
const PARTS: Readonly<Record<string, readonly ImportPart[] | ((action: string) => readonly ImportPart[])>> = {
  issues: ['issues'],
  label: ['issues'],
  // Deleting a milestone takes it off its issues.
  milestone: ['milestones', 'issues'],
  deployment: ['deployments'],
  deployment_status: ['deployments'],
  check_run: (action) => (action === 'completed' ? ['test_runs'] : []),
  check_suite: (action) => (action === 'completed' ? ['test_runs'] : []),
  workflow_run: (action) => (action === 'completed' ? ['test_runs'] : []),
  // Its path may be another one now, or it may be gone.
  repository: (action) => (['renamed', 'transferred', 'edited', 'deleted'].includes(action) ? IMPORT_PARTS : []),
};

const ID = /^[\x21-\x7e]{1,200}$/;

const fault = (pointer: string, message: string): DomainError => invalid([{ pointer, code: 'webhook', message }]);

const bodyOf = (body: Uint8Array): Fields => {
  try {
    return fieldsOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)), 'body');
  } catch {
    throw fault('', `The body is no JSON object; choose the content type application/json at ${TITLE}.`);
  }
};

const objectOrEmpty = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Issues that were deleted or moved to another repository. */
const suspectsOf = (event: string, action: string, body: Fields): readonly string[] => {
  if (event !== 'issues' || (action !== 'deleted' && action !== 'transferred')) return [];
  const { node_id } = objectOrEmpty(body.issue);
  return typeof node_id === 'string' && ID.test(node_id) ? [node_id] : [];
};

const header = ({ headers }: HookDelivery, name: string): string => {
  const value = headers[name] ?? '';
  if (!ID.test(value)) throw fault(`/headers/${name}`, `The header ${name} of a ${TITLE} webhook is missing.`);
  return value;
};

/** GitHub's webhooks: signed with HMAC-SHA-256 over the body, with one secret for each repository and project. */
export const githubHooks = (secretKey: Uint8Array): HostHooks => {
  const secretOf = hookSecrets(secretKey, HOST_NAME);
  return {
    events: Object.keys(PARTS),
    secretOf,
    read: (delivery) => {
      const event = header(delivery, 'x-github-event');
      const deliveryId = header(delivery, 'x-github-delivery');
      const body = bodyOf(delivery.body);
      const { id } = objectOrEmpty(body.repository);
      const repositoryId = typeof id === 'number' ? String(id) : null;
      // A delivery without a repository or a project is refused: no person is ever shown the secret of an empty id.
      const expected = createHmac('sha256', secretOf(repositoryId ?? '', delivery.projectId ?? ''))
        .update(delivery.body)
        .digest('hex');
      if (!isSameSecret(delivery.headers['x-hub-signature-256'] ?? '', `sha256=${expected}`)) {
        throw new DomainError(
          'wrong-signature',
          'The webhook was not signed with the secret of its repository and project.',
        );
      }
      const action = typeof body.action === 'string' ? body.action : '';
      const parts = Object.hasOwn(PARTS, event) ? (PARTS[event] ?? []) : [];
      return {
        deliveryId,
        repositoryId,
        parts: repositoryId === null ? [] : typeof parts === 'function' ? parts(action) : parts,
        suspectIssueIds: suspectsOf(event, action, body),
      };
    },
  };
};
