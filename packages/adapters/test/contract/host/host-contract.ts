import { type ConfiguredHost, TEST_RUN_SOURCES } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { authorizationContract } from './authorization.contract.js';
import { deploymentsContract } from './deployments.contract.js';
import { economyContract } from './economy.contract.js';
import { failuresContract } from './failures.contract.js';
import { grantsContract } from './grants.contract.js';
import { hooksContract } from './hooks.contract.js';
import type { OpenHost } from './host-stage.js';
import { issueChangesContract } from './issue-changes.contract.js';
import { issuesContract } from './issues.contract.js';
import { issuesByIdContract } from './issues-by-id.contract.js';
import { milestonesContract } from './milestones.contract.js';
import { onStage } from './on-stage.js';
import { repositoriesContract } from './repositories.contract.js';
import { testRunsContract } from './test-runs.contract.js';

/** Every suite that any host has to pass, in the order they are run. */
const SUITES = [
  authorizationContract,
  grantsContract,
  repositoriesContract,
  milestonesContract,
  issuesContract,
  issueChangesContract,
  issuesByIdContract,
  economyContract,
  hooksContract,
  failuresContract,
];

const EVERYTHING: ConfiguredHost['gives'] = { deployments: true, testRuns: TEST_RUN_SOURCES };

/** That the host says of itself what is proved of it. */
const givesContract = (open: OpenHost, gives: ConfiguredHost['gives']): void => {
  describe('the host', () => {
    const staged = onStage(open);
    it('has a name for paths, a title for people, and says what it gives', () => {
      const { host } = staged();
      expect(host.name).to.match(/^[a-z]+$/);
      expect(host.title).to.match(/\S/);
      expect(host.gives).to.deep.equal(gives);
    });
  });
};

/**
 * Proves with mocha that an adapter for a repository host keeps every promise of the ports. Each suite opens a stage of its
 * own. `gives`: what the host can give; everything unless told.
 */
export const hostContract = (name: string, open: OpenHost, gives = EVERYTHING): void => {
  describe(`${name} fulfils the ports of repository hosts`, function () {
    this.timeout(300_000);
    givesContract(open, gives);
    for (const suite of SUITES) suite(open);
    if (gives.deployments) deploymentsContract(open);
    testRunsContract(open, gives.testRuns);
  });
};
