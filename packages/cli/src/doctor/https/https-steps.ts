import { runGit } from '../../git/run-git.js';
import { userHelpers } from '../../git/user-settings.js';
import { sshCommand } from '../credentials/ssh-command.js';
import type { Examination } from '../examination.js';
import { couldNotCheck, type Finding, needsAction, ready, Unmet } from '../finding.js';
import { networkFinding } from '../network-finding.js';
import type { Step } from '../step.js';
import { findingOfAnswer } from './answer-finding.js';
import { judgeAnswer } from './judge-answer.js';
import { judgeGit } from './judge-git.js';

/** Variables that win over the settings of git that doctor advises. */
const OVERRIDING = ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'GIT_SSL_CERT', 'GIT_SSL_KEY'];

const overridesIn = ({ world }: Examination): readonly string[] => OVERRIDING.filter((name) => world.env[name]);

const checkVerified = async (examination: Examination): Promise<Finding> => {
  const { off } = await examination.https.trust();
  const overriding = overridesIn(examination).join(', ');
  if (!off)
    return ready(
      overriding === ''
        ? 'git checks certificates.'
        : `git checks certificates. Set in the environment, over the settings of git: ${overriding}.`,
    );
  return needsAction(
    'git was told not to check certificates, so anybody on the way could pose as the host.',
    'git config --global --unset-all http.sslVerify, and unset GIT_SSL_NO_VERIFY.',
  );
};

const throughSsh = async ({ https }: Examination): Promise<boolean> => (await https.effective()).kind === 'ssh';

/** How git is told of an authority: a variable wins over its settings. */
const trustFix = ({ world }: Examination, host: string): string =>
  world.env.GIT_SSL_CAINFO
    ? 'GIT_SSL_CAINFO names the authorities, over http.sslCAInfo: add the authority to that file, or unset the variable.'
    : `git config --global http.https://${host}/.sslCAInfo /path/to/the-authority.pem`;

const checkAnswer = async (examination: Examination): Promise<Finding> => {
  const { https } = examination;
  const { host } = new URL(await https.url());
  if (await throughSsh(examination))
    return ready(`git goes to ${(await https.effective()).host} by SSH for this address.`);
  try {
    return findingOfAnswer(await https.answer(), host);
  } catch (error) {
    const finding = networkFinding(error, {
      address: 'Check the address by git remote -v, the network and the VPN.',
      trust: trustFix(examination, host),
    });
    if (finding === undefined) throw error;
    return (await https.trust()).known ? finding : couldNotCheck(finding.what, finding.fix);
  }
};

const REFS = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\tHEAD$/m;

const listHead = async (examination: Examination, signal: AbortSignal): Promise<Finding> => {
  const { world, https, repository, callMs } = examination;
  const stall = String(Math.max(1, Math.round(callMs / 1000)));
  const url = await https.url();
  const end = await runGit(world, ['ls-remote', '--', url, 'HEAD'], {
    folder: await repository.root(),
    limitMs: 3 * callMs,
    signal,
    hosts: true,
    settings: [
      ['http.lowSpeedLimit', '1'],
      ['http.lowSpeedTime', stall],
      ['http.followRedirects', 'initial'],
      ['core.askPass', ''],
      ...(await userHelpers(world, await repository.root())),
    ],
    env: { GIT_SSH_COMMAND: await sshCommand(world, await repository.root()), GIT_SSH_VARIANT: 'ssh' },
  });
  if (end.exit !== 0) return judgeGit(end, new URL(url).host);
  const hash = REFS.exec(end.stdout)?.[0].slice(0, 12);
  // Only reached after the content type was seen, or by SSH, which knows no sign-in page.
  return ready(hash === undefined ? 'git reads it; the repository is empty.' : `git reads it; HEAD is ${hash}.`);
};

/** Never lets git offer credentials that the host refuses: git would have its helper forget them. */
const checkRefs = async (examination: Examination, signal: AbortSignal): Promise<Finding> => {
  const { https, credentials } = examination;
  if (await throughSsh(examination)) return listHead(examination, signal);
  const answer = await https.answer().catch(() => undefined);
  const kind = answer && judgeAnswer(answer, 'git-upload-pack');
  if (kind !== undefined && kind !== 'refs' && kind !== 'credentials') throw new Unmet('https.answer');
  if (kind === 'credentials') {
    if ((await credentials.stored()) === undefined)
      return needsAction(
        'The repository can only be read with credentials, and git has none for its host.',
        'See the group Credentials: shipworthy doctor --store-token, or the SSH option.',
      );
    if ((await credentials.verdict())?.read !== 'refs') throw new Unmet('credentials.accepted');
  }
  const finding = await listHead(examination, signal);
  // Without a look at the content type an empty answer may have been a page.
  const unproven = kind === undefined && finding.state === 'ready' && !finding.what.includes('HEAD');
  return unproven ? couldNotCheck('git printed nothing, and whether a page answered it could not be seen.') : finding;
};

/** Whether git reaches the repository over HTTPS. */
export const HTTPS_STEPS: readonly Step[] = [
  {
    id: 'https.verified',
    title: 'Certificates are checked',
    after: ['repository.git', 'repository.remote'],
    limitMs: 45_000,
    check: checkVerified,
  },
  {
    id: 'https.answer',
    title: 'The host answers git',
    after: ['repository.git', 'repository.remote'],
    limitMs: 45_000,
    check: checkAnswer,
  },
  {
    id: 'https.head',
    title: 'git ls-remote HEAD',
    after: ['repository.git', 'repository.remote'],
    limitMs: 90_000,
    check: checkRefs,
  },
];
