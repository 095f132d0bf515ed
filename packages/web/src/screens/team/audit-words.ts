import type { AuditEntry } from '@shipworthy/client';
import { isolated } from '../../wording/isolate.js';

/** The texts of actions, followed by the name of their object. */
export const ACTIONS: Readonly<Record<string, string>> = {
  'api_key.bar': 'took out of the team the API key',
  'api_key.create': 'created the API key',
  'api_key.revoke': 'revoked the API key',
  'badge.hide': 'hid the badge',
  'badge.show': 'showed the badge under a new address',
  'checklist_item.add': 'added the checklist item',
  'checklist_item.confirm': 'confirmed as not applicable the checklist item',
  'checklist_item.edit': 'changed the checklist item',
  'checklist_item.remove': 'removed the checklist item',
  'checklist_item.restore': 'restored the checklist item',
  'checklist_template.change': 'changed the checklist template',
  'event-sources.set': 'set the event sources of a project',
  'evidence.add': 'linked evidence to',
  'evidence.remove': 'removed evidence from',
  'invitation.decline': 'declined an invitation',
  'invitation.revoke': 'revoked an invitation link',
  'issue.add': 'added the issue',
  'issue.edit': 'changed the issue',
  'member.add': 'joined the team:',
  'member.change_role': 'changed the role of',
  'member.remove': 'removed from the team:',
  'person.invite': 'made an invitation link',
  'policy.change': 'changed the gate policy',
  'project.archive': 'archived the project',
  'project.create': 'created the project',
  'project.rename': 'renamed the project',
  'project.restore': 'restored the project',
  'release.activate': 'activated the release',
  'release.cancel': 'canceled the release',
  'release.create': 'created the release',
  'release.edit': 'changed the release',
  'release.park': 'set to planned the release',
  'release.ship': 'shipped the release',
  'repository.import': 'requested an import from',
  'repository.link': 'linked the repository',
  'repository.unlink': 'unlinked the repository',
  'team.archive': 'archived the team',
  'team.create': 'created the team',
  'team.rename': 'renamed the team',
  'team.restore': 'restored the team',
  'test_run.restore': 'restored a test run',
  'test_run.set_aside': 'set a test run aside',
  'waiver.sign': 'waived a reason of',
  'waiver.withdraw': 'withdrew a waiver of',
  'webhook.create': 'created the webhook to',
  'webhook.disable': 'disabled the webhook to',
  'webhook.edit': 'changed the webhook to',
  'webhook.remove': 'removed the webhook to',
  'webhook.replay': 'resent a message to',
  'webhook.rotate_secret': 'rotated the secret of the webhook to',
  'webhook.test': 'sent a test to',
};

/** The nouns of actions, with their plurals as choices. */
export const NOUNS = [
  ['release', 'Releases'],
  ['waiver', 'Waivers'],
  ['policy', 'Gate policies'],
  ['checklist_item', 'Checklist items'],
  ['evidence', 'Evidence'],
  ['checklist_template', 'Checklist templates'],
  ['issue', 'Issues'],
  ['test_run', 'Test runs'],
  ['project', 'Projects'],
  ['repository', 'Repositories'],
  ['event-sources', 'Event sources'],
  ['badge', 'Badges'],
  ['webhook', 'Webhooks'],
  ['api_key', 'API keys'],
  ['member', 'Members'],
  ['person', 'New invitations'],
  ['invitation', 'Declined and revoked invitations'],
  ['team', 'Team'],
] as const;

const word = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

const quoted = (value: unknown): string | undefined => {
  const text = word(value);
  return text && `“${isolated(text)}”`;
};

const after = (before: string, text: string | undefined): string | undefined => text && `${before} ${text}`;

/** The text of an audit entry, as the rest of a sentence that begins with the person. */
export const actionText = ({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): string =>
  [
    ACTIONS[action] ?? action.replaceAll(/[._]/g, ' '),
    quoted(
      detail.name ?? detail.title ?? detail.repository ?? (action.startsWith('webhook') ? detail.host : undefined),
    ),
    after('of', quoted(action.startsWith('test_run') ? detail.suite : undefined)),
    after('from', quoted(detail.from)),
    after('to', quoted(detail.to)),
    after('as', word(detail.role)),
    after('with the decision', word(detail.decision)),
    after('to version', word(detail.version)),
    after('because', quoted(detail.text ?? (action === 'test_run.set_aside' ? detail.reason : undefined))),
    after('because it was', word(action === 'webhook.disable' ? detail.reason : undefined)),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
