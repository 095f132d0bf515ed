import type { ChecklistRow, DeploymentRow, IssueRow, TestRunRow } from '@shipworthy/client/contract';
import type { ChecklistItem, Counting, DeploymentView, Issue, ItemCounting, TestRunView } from '@shipworthy/domain';
import { wireChecklistItem } from './checklist.js';
import { wireDeployment } from './deployment.js';
import { wireIssue } from './issue.js';
import { wireTestRun } from './test-run.js';

/** `reason` only on rows that do not count; a deployment outside every window is under no axis, so that cause never shows. */
const counted = ({ counts, reason }: Counting) =>
  reason === null || reason === 'no_release_window' ? { counts } : { counts, reason };

export const wireIssueRow = (issue: Issue, counting: Counting): IssueRow => ({
  ...wireIssue(issue),
  ...counted(counting),
});

export const wireChecklistRow = (item: ChecklistItem, { counts, reason }: ItemCounting): ChecklistRow => {
  const { reason: mark_reason, ...wired } = wireChecklistItem(item);
  return { ...wired, mark_reason, counts, ...(reason === null ? {} : { reason }) };
};

export const wireTestRunRow = (view: TestRunView, counting: Counting): TestRunRow => ({
  ...wireTestRun(view),
  ...counted(counting),
});

export const wireDeploymentRow = (view: DeploymentView, counting: Counting): DeploymentRow => ({
  ...wireDeployment(view),
  ...counted(counting),
});
