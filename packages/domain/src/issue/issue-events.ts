import type { Instant } from '../instant.js';
import type { Issue, IssueEvent } from './issue.js';

const ended = (issue: Issue): 'done' | 'canceled' | null =>
  issue.state === 'done' || issue.state === 'canceled' ? issue.state : null;

const event = (issue: Issue, kind: IssueEvent['kind'], at: Instant): IssueEvent => ({
  issueId: issue.id,
  releaseId: issue.releaseId,
  at,
  kind,
  type: issue.type,
});

const joined = (issue: Issue, at: Instant): readonly IssueEvent[] => {
  const end = ended(issue);
  return [event(issue, 'added', at), ...(end === null ? [] : [event(issue, end, at)])];
};

/**
 * What a change means for the releases it concerns; empty when none is concerned.
 * An issue that joins already ended is added, then ended. A changed type leaves as the old one and joins as the new,
 * so that bugs over time stay true.
 */
export const issueEvents = (before: Issue | null, after: Issue, at: Instant): readonly IssueEvent[] => {
  const was = before?.releaseId == null ? null : before;
  const is = after.releaseId === null ? null : after;
  if (was === null) return is === null ? [] : joined(is, at);
  if (is === null) return [event(was, 'removed', at)];
  if (was.releaseId !== is.releaseId || was.type !== is.type) return [event(was, 'removed', at), ...joined(is, at)];
  const [endedBefore, endedNow] = [ended(was), ended(is)];
  return endedBefore === endedNow ? [] : [event(is, endedNow ?? 'reopened', at)];
};
