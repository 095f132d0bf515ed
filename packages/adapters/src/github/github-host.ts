import { type ConfiguredHost, TEST_RUN_SOURCES } from '@shipworthy/domain/ports';
import { grantSeals } from '../host-http/host-secrets.js';
import { githubAuthorization } from './authorization.js';
import { deploymentLists } from './deployments.js';
import { type GithubOptions, HOST_NAME, TITLE } from './fields.js';
import { githubHooks } from './hooks.js';
import { issueLists, milestoneLists } from './issues.js';
import { githubQueries } from './queries.js';
import { identityCheck, repositoryLists } from './repositories.js';
import { githubRequests } from './requests.js';
import { checkRunReading, workflowRunReading } from './test-runs.js';

/** GitHub or a GitHub Enterprise Server as the repository host. @throws RangeError for a secret key under 32 bytes */
export const githubHost = (options: GithubOptions): ConfiguredHost => {
  const clock = options.clock ?? Date.now;
  const seals = grantSeals(options.secretKey, HOST_NAME, TITLE);
  const requests = githubRequests(options.apiUrl, seals, clock);
  const queries = githubQueries(requests);
  const lists = repositoryLists(requests);
  const check = identityCheck(requests);
  const readChecks = checkRunReading(requests, check, options.webUrl);
  const readWorkflows = workflowRunReading(requests, queries);
  return {
    name: HOST_NAME,
    title: TITLE,
    gives: { deployments: true, testRuns: TEST_RUN_SOURCES },
    authorization: githubAuthorization(options, seals, clock, lists.account),
    reader: {
      ...lists,
      ...milestoneLists(requests, check),
      ...issueLists(requests, queries),
      ...deploymentLists(requests, queries),
      testRuns: (access, repository, source, request) =>
        source === 'checks' ? readChecks(access, repository, request) : readWorkflows(access, repository, request),
    },
    hooks: githubHooks(options.secretKey),
  };
};
