import type { Examination } from '../examination.js';
import { couldNotCheck, type Finding, needsAction, ready } from '../finding.js';
import { networkFinding } from '../network-finding.js';
import type { Group, Step } from '../step.js';
import { helperFix } from './helper-fix.js';
import { checkSshKey, checkSshRewrite } from './ssh-steps.js';
import { findingOfVerdict } from './verdict-finding.js';

const checkToken = async ({ world, https, credentials }: Examination): Promise<Finding> => {
  const { host } = new URL(await https.url());
  const helpers = await credentials.helpers();
  if ((await credentials.stored()) !== undefined)
    return ready(`git has credentials for ${host}.`, helpers.length === 0 ? {} : { source: helpers.join(', ') });
  if (helpers.length === 0)
    return needsAction(
      `git has no credentials for ${host}, and no helper to keep them.`,
      `${helperFix(world.platform)}, then: shipworthy doctor --store-token`,
    );
  return needsAction(
    `git has no credentials for ${host} (asked: ${helpers.join(', ')}).`,
    'Create a token with read and write access to repositories at the host, then: shipworthy doctor --store-token',
  );
};

const checkAccepted = async ({ https, credentials }: Examination): Promise<Finding> => {
  const { host } = new URL(await https.url());
  try {
    const verdict = await credentials.verdict();
    return verdict === undefined
      ? couldNotCheck('There are no credentials to offer.')
      : findingOfVerdict(verdict, host);
  } catch (error) {
    const place = { address: 'See the group Reachable over HTTPS.', trust: 'See the group Reachable over HTTPS.' };
    const finding = networkFinding(error, place);
    if (finding === undefined) throw error;
    return couldNotCheck(finding.what, finding.fix);
  }
};

const after: Step['after'] = ['repository.git', 'repository.remote'];

/** Credentials by token or by SSH: either will do. */
export const CREDENTIALS: Group = {
  id: 'credentials',
  title: 'Credentials (token or SSH)',
  options: [
    ['credentials.token', 'credentials.accepted'],
    ['credentials.ssh_key', 'credentials.ssh_rewrite'],
  ],
  steps: [
    { id: 'credentials.token', title: 'Token option: git has one', after, limitMs: 60_000, check: checkToken },
    {
      id: 'credentials.accepted',
      title: 'Token option: it may read and write',
      after: ['credentials.token'],
      limitMs: 60_000,
      check: checkAccepted,
    },
    { id: 'credentials.ssh_key', title: 'SSH option: key registered', after, limitMs: 60_000, check: checkSshKey },
    {
      id: 'credentials.ssh_rewrite',
      title: 'SSH option: HTTPS rewritten',
      after,
      limitMs: 60_000,
      check: checkSshRewrite,
    },
  ],
};
