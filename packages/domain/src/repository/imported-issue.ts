import type { Issue, IssueState, IssueType, Severity } from '../issue/issue.js';
import type { HostIssue } from './host-records.js';
import { lineOf, webAddress } from './host-text.js';
import { DEFAULT_MAPPING } from './link-settings.js';
import type { IssueMapping } from './repository-link.js';

/** What an import decides about an issue. */
export type IssueContent = Pick<Issue, 'releaseId' | 'title' | 'type' | 'state' | 'severity' | 'url'>;

const folded = (word: string): string => word.trim().toLowerCase();

const MAPPED_TYPES = ['bug', 'feature', 'chore'] as const;
const SEVERITY_ORDER = ['critical', 'major', 'minor'] as const;

/** Whether one of the words is in the list, or in the default one when the list is empty. */
const means = (mapping: IssueMapping, list: keyof IssueMapping, words: readonly string[]): boolean => {
  const meant = new Set((mapping[list].length > 0 ? mapping[list] : DEFAULT_MAPPING[list]).map(folded));
  return words.some((word) => meant.has(folded(word)));
};

/** The host's own type decides before labels do; of several labels the first of bug, feature, chore. */
const typeOf = ({ type, labels }: HostIssue, mapping: IssueMapping): IssueType => {
  const own = type === null ? [] : [type];
  const said = MAPPED_TYPES.find((each) => means(mapping, each, own));
  if (said !== undefined) return said;
  if (type !== null && folded(type) === 'task') return 'task';
  return MAPPED_TYPES.find((each) => means(mapping, each, labels)) ?? 'task';
};

const stateOf = ({ state, closedAs, labels }: HostIssue, mapping: IssueMapping): IssueState => {
  if (state === 'closed') return closedAs === 'not_planned' ? 'canceled' : 'done';
  return means(mapping, 'inProgress', labels) ? 'in_progress' : 'todo';
};

const severityOf = ({ labels }: HostIssue, mapping: IssueMapping): Severity | null =>
  SEVERITY_ORDER.find((each) => means(mapping, each, labels)) ?? null;

/** What the host's issue is here, in that release (null: none). Only a bug has a severity, the worst its labels name. */
export const issueContent = (host: HostIssue, mapping: IssueMapping, releaseId: string | null): IssueContent => {
  const type = typeOf(host, mapping);
  return {
    releaseId,
    title: lineOf(host.title) || `#${host.number}`,
    type,
    state: stateOf(host, mapping),
    severity: type === 'bug' ? severityOf(host, mapping) : null,
    url: webAddress(host.url),
  };
};

/** Whether the issue reads like that already. */
export const hasContent = (issue: Issue, content: IssueContent): boolean =>
  issue.releaseId === content.releaseId &&
  issue.title === content.title &&
  issue.type === content.type &&
  issue.state === content.state &&
  issue.severity === content.severity &&
  issue.url === content.url;

/** The content of an issue that the host has no more: canceled, in no release, or still in the closed one it belonged to. */
export const goneContent = ({ title, type, severity, url }: Issue, releaseId: string | null): IssueContent => ({
  releaseId,
  title,
  type,
  state: 'canceled',
  severity,
  url,
});
