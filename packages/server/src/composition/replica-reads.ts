import type { OperationId } from '@shipworthy/client/contract';

/**
 * The operations whose reads a replica may answer: they only read, and what they read is more than asking the primary how
 * new it is. Verdicts in force are not among them: an unchanged one costs less than that question.
 */
export const REPLICA_READS: ReadonlySet<string> = new Set<OperationId>([
  'readPortfolio',
  'listAuditEntries',
  'listReleases',
  'listPolicyVersions',
  'previewPolicy',
  'listHistory',
  'readDifference',
  'listAxisRows',
  'readAnalysis',
  'exportAnalysis',
  'listIssues',
  'listDeployments',
  'listTestRuns',
  'listNotCounted',
  'listDeliveries',
]);
