import type { Clock, ConfiguredHost } from '@shipworthy/domain/ports';
import { grantSeals } from '../host-http/host-secrets.js';
import { timedFetch } from '../host-http/timed-fetch.js';
import { gitlabAddress, gitlabApi, TITLE } from './api.js';
import { gitlabAuthorization } from './authorization.js';
import { gitlabDeployments } from './deployments.js';
import { gitlabHooks } from './hooks.js';
import { gitlabIssues, gitlabMilestones } from './issues.js';
import { gitlabProjects } from './projects.js';
import { gitlabChecks, gitlabPipelines } from './test-runs.js';

const NAME = 'gitlab';

/** Bytes: tokens and errors have far less. */
const LARGEST_OAUTH_ANSWER = 64 * 1024;

interface GitlabOptions {
  /** Application id and secret of an OAuth application at GitLab with the scope `read_api`, marked confidential. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where GitLab is: `https://gitlab.com`, or an installation of one's own, which may lie below a path. */
  readonly url: URL;
  /** The service's secret key, at least 32 bytes: grants are sealed and webhook secrets made with keys derived from it. */
  readonly secretKey: Uint8Array;
  readonly clock?: Clock;
}

/**
 * GitLab as repository host, over its REST interface version 4 and global `fetch`. Keeps nothing between calls.
 * RangeError when the secret key is too short.
 */
export const gitlabHost = ({
  clientId,
  clientSecret,
  url,
  secretKey,
  clock = Date.now,
}: GitlabOptions): ConfiguredHost => {
  const ask = timedFetch({ title: TITLE, clock });
  const seals = grantSeals(secretKey, NAME, TITLE);
  const api = gitlabApi({ url, ask, seals, clock });
  const webUrl = (path: string): string => gitlabAddress(url, `/${path}`).href;
  const projects = gitlabProjects(api, ({ ownerId, grant }) => seals.openTokens(ownerId, grant).own === true);
  const sources = { checks: gitlabChecks(api, webUrl), workflows: gitlabPipelines(api) };
  return {
    name: NAME,
    title: TITLE,
    gives: { deployments: true, testRuns: ['checks', 'workflows'] },
    authorization: gitlabAuthorization({
      clientId,
      clientSecret,
      url,
      ask: timedFetch({ title: TITLE, clock, limit: LARGEST_OAUTH_ANSWER }),
      seals,
      clock,
      accountOf: (tokens, ownerId, deadline) =>
        projects.account({ ownerId, grant: seals.sealTokens(ownerId, tokens), deadline }),
    }),
    reader: {
      ...projects,
      ...gitlabMilestones(api, webUrl),
      ...gitlabIssues(api),
      ...gitlabDeployments(api),
      testRuns: (access, repository, source, request) => sources[source](access, repository, request),
    },
    hooks: gitlabHooks(secretKey),
  };
};
