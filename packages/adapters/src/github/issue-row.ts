import type { HostClosing, HostIssue, HostIssueEvent } from '@shipworthy/domain';
import { type Fields, fieldsOf, momentOf, momentOrNull, numberOf, textOf, textOrNull } from './fields.js';
import { milestoneId } from './milestones.js';

/** `DUPLICATE` is no work done either. Issues closed before GitHub asked for a reason count as completed. */
const closingOf = (reason: string | null): HostClosing =>
  reason === 'NOT_PLANNED' || reason === 'DUPLICATE' ? 'not_planned' : 'completed';

const eventOf = (fields: Fields): HostIssueEvent | undefined => {
  const kind = textOf(fields, '__typename');
  if (kind === 'MilestonedEvent' || kind === 'DemilestonedEvent') {
    const at = momentOf(fields, 'createdAt');
    const milestone = textOf(fields, 'milestoneTitle');
    return { at, kind: kind === 'MilestonedEvent' ? 'milestoned' : 'demilestoned', milestone };
  }
  if (kind === 'ClosedEvent') {
    return { at: momentOf(fields, 'createdAt'), kind: 'closed', as: closingOf(textOrNull(fields, 'stateReason')) };
  }
  return kind === 'ReopenedEvent' ? { at: momentOf(fields, 'createdAt'), kind: 'reopened' } : undefined;
};

const historyOf = (timeline: readonly Fields[]): readonly HostIssueEvent[] =>
  timeline
    .map(eventOf)
    .filter((event) => event !== undefined)
    .sort((one, other) => one.at - other.at);

/** An issue of a repository, with all of its labels and its timeline. */
export const issueOf = (
  repositoryId: string,
  fields: Fields,
  labels: readonly Fields[],
  timeline: readonly Fields[],
): HostIssue => {
  const closed = textOf(fields, 'state') === 'CLOSED';
  const { issueType = null, milestone = null } = fields;
  return {
    id: textOf(fields, 'id'),
    number: numberOf(fields, 'number'),
    title: textOf(fields, 'title'),
    url: textOf(fields, 'url'),
    state: closed ? 'closed' : 'open',
    closedAs: closed ? closingOf(textOrNull(fields, 'stateReason')) : null,
    type: issueType === null ? null : textOf(fieldsOf(issueType, 'issueType'), 'name'),
    labels: labels.map((label) => textOf(label, 'name')),
    milestoneId:
      milestone === null ? null : milestoneId(repositoryId, numberOf(fieldsOf(milestone, 'milestone'), 'number')),
    createdAt: momentOf(fields, 'createdAt'),
    updatedAt: momentOf(fields, 'updatedAt'),
    closedAt: closed ? momentOrNull(fields, 'closedAt') : null,
    history: historyOf(timeline),
  };
};
