import type { IssueMapping } from './repository-link.js';

/** A label with a prefix in the spellings repository hosts and their tools use: `type: bug`, `type:bug`, `type/bug`, `type::bug`. */
const spelled = (prefix: string, words: readonly string[]): readonly string[] =>
  words.flatMap((word) => [`${prefix}: ${word}`, `${prefix}:${word}`, `${prefix}/${word}`, `${prefix}::${word}`]);

const typed = (...words: readonly string[]): readonly string[] => [
  ...spelled('type', words),
  ...spelled('kind', words),
];

const graded = (...words: readonly string[]): readonly string[] => [
  ...spelled('severity', words),
  ...spelled('priority', words),
];

/** What types and labels mean unless a project says otherwise: the usual names at repository hosts, compared in any case. */
export const DEFAULT_MAPPING: IssueMapping = {
  bug: ['bug', 'defect', 'regression', 'incident', ...typed('bug', 'defect', 'regression')],
  feature: ['feature', 'enhancement', 'feature request', ...typed('feature', 'enhancement')],
  chore: ['chore', 'maintenance', 'dependencies', 'refactoring', ...typed('chore', 'maintenance')],
  inProgress: [
    ...['in progress', 'in-progress', 'doing', 'wip', 'work in progress'],
    ...spelled('status', ['in progress', 'in-progress']),
    ...spelled('state', ['in progress', 'in-progress']),
    ...spelled('workflow', ['in progress', 'in dev']),
  ],
  critical: [
    'critical',
    'blocker',
    'p0',
    'sev0',
    'sev1',
    'severity::1',
    'priority::1',
    ...graded('critical', 'blocker'),
  ],
  major: ['major', 'p1', 'sev2', 'severity::2', 'priority::2', ...graded('major', 'high')],
  minor: ['minor', 'p2', 'p3', 'sev3', 'severity::3', 'severity::4', ...graded('minor', 'low')],
};
