import type { BodyOf, Operations, Issue as WireIssue } from '@shipworthy/client/contract';
import type { AddIssue, EditIssue, Issue } from '@shipworthy/domain';
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
  external_id: issue.externalId,
  version: issue.version,
  created_at: wireMoment(issue.createdAt),
  updated_at: wireMoment(issue.updatedAt),
});

/** The issue that is sent; ids are stored in lower case. */
export const issueOf = (sent: BodyOf<Operations['createIssue']>): AddIssue['issue'] => ({
  title: sent.title,
  type: sent.type,
  state: sent.state,
  severity: sent.severity ?? null,
  url: sent.url ?? null,
  releaseId: sent.release_id?.toLowerCase() ?? null,
});

/** What is to be edited of an issue; what was not sent is left out. */
export const issueEdit = ({ release_id, ...sent }: BodyOf<Operations['changeIssue']>): EditIssue['edit'] => ({
  ...sent,
  ...(release_id === undefined ? {} : { releaseId: release_id?.toLowerCase() ?? null }),
});
