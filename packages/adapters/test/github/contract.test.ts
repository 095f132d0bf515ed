import { authorizationContract } from '../contract/host/authorization.contract.js';
import { deploymentsContract } from '../contract/host/deployments.contract.js';
import { grantsContract } from '../contract/host/grants.contract.js';
import { hostContract } from '../contract/host/host-contract.js';
import { issueChangesContract } from '../contract/host/issue-changes.contract.js';
import { issuesContract } from '../contract/host/issues.contract.js';
import { issuesByIdContract } from '../contract/host/issues-by-id.contract.js';
import { repositoriesContract } from '../contract/host/repositories.contract.js';
import { testRunsContract } from '../contract/host/test-runs.contract.js';
import { openGithubStage } from './github-stage.js';

hostContract('GitHub', () => openGithubStage());

/** What a server of an own address, and without types of issues, could answer otherwise. */
const OTHERWISE = [
  authorizationContract,
  grantsContract,
  repositoriesContract,
  issuesContract,
  issueChangesContract,
  issuesByIdContract,
  deploymentsContract,
  testRunsContract,
];

describe('an older GitHub Enterprise Server fulfils the ports of repository hosts', () => {
  for (const suite of OTHERWISE) suite(() => openGithubStage({ apiPath: '/api/v3', issueTypes: false }));
});
