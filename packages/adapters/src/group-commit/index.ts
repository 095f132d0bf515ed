export { type GroupCommit, type GroupCommitOptions, groupCommit } from './group-commit.js';
export { lookups } from './lookups.js';
export { type DrainableReportQueue, reportQueue } from './report-queue.js';
