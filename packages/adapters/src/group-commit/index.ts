export {
  type DrainableReportQueue,
  type GroupCommit,
  type GroupCommitOptions,
  groupCommit,
  lookups,
  reportQueue,
} from './group-commit.js';
