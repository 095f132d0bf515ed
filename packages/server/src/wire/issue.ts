import type { Issue as WireIssue } from '@shipworthy/client/contract';
import type { Issue } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** An issue. */
export const wireIssue = (issue: Issue): WireIssue => ({
  id: issue.id,
  project_id: issue.projectId,
  release_id: issue.releaseId,
  title: issue.title,
  type: issue.type,
  state: issue.state,
  severity: issue.severity,
  url: issue.url,
  version: issue.version,
  created_at: wireMoment(issue.createdAt),
  updated_at: wireMoment(issue.updatedAt),
});
