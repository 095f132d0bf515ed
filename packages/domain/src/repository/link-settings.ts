import type { IssueMapping } from './repository-link.js';

/** What types and labels mean unless a project says otherwise: the usual names at repository hosts, compared in any case. */
export const DEFAULT_MAPPING: IssueMapping = {
  bug: ['bug', 'defect', 'type: bug', 'type:bug', 'type/bug', 'kind/bug', 'incident'],
  feature: [
    'feature',
    'enhancement',
    'feature request',
    'type: feature',
    'type:feature',
    'type/feature',
    'kind/feature',
  ],
  chore: [
    'chore',
    'maintenance',
    'dependencies',
    'refactoring',
    'type: chore',
    'type:chore',
    'type/chore',
    'kind/chore',
  ],
  inProgress: [
    'in progress',
    'in-progress',
    'doing',
    'status: in progress',
    'status:in-progress',
    'workflow::in progress',
  ],
  critical: [
    'critical',
    'blocker',
    'severity: critical',
    'severity:critical',
    'severity/critical',
    'severity::1',
    'p0',
  ],
  major: ['major', 'severity: major', 'severity:major', 'severity/major', 'severity::2', 'p1'],
  minor: ['minor', 'severity: minor', 'severity:minor', 'severity/minor', 'severity::3', 'p2'],
};
