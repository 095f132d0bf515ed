import { parsedUrl } from '@shipworthy/client/contract';
import { runOwnGit } from '../git/run-git.js';
import type { ProgramEnd } from '../run-program.js';
import { sshCommand } from './credential-steps.js';
import { actionFinding, type Finding, networkFinding, readyFinding, Unmet, uncheckedFinding } from './finding.js';
import { type AnswerKind, judgeAnswer } from './https-facts.js';
import type { RawAnswer } from './network.js';
import type { Examination, Step } from './step.js';

/** Variables that win over the settings of git that doctor advises. */
const OVERRIDING = ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'GIT_SSL_CERT', 'GIT_SSL_KEY'];

const overridesIn = ({ world }: Examination): readonly string[] => OVERRIDING.filter((name) => world.env[name]);

const SSL_VERIFY = /^http\.(.*\.)?sslverify$/s;
/** The values by which git's configuration turns something off. */
const OFF = /^(false|no|off|0|)$/i;

const checkVerified = async (examination: Examination): Promise<Finding> => {
  const { off } = await examination.https.trust();
  const { ofRepository } = await examination.repository.hostSettings();
  const offHere = ofRepository.some(([name, value]) => SSL_VERIFY.test(name) && OFF.test(value));
  const overriding = overridesIn(examination).join(', ');
  if (!off && offHere)
    return actionFinding(
      'git was told by the repository itself not to check certificates, so anybody on the way could pose as the host.',
      'git config --local --unset-all http.sslVerify; git config --list --show-origin says where else it is set.',
    );
  if (!off)
    return readyFinding(
      overriding === ''
        ? 'git checks certificates.'
        : `git checks certificates. Set in the environment, over the settings of git: ${overriding}.`,
    );
  return actionFinding(
    'git was told not to check certificates, so anybody on the way could pose as the host.',
    'git config --global --unset-all http.sslVerify, and unset GIT_SSL_NO_VERIFY.',
  );
};

const throughSsh = async ({ https }: Examination): Promise<boolean> => (await https.effective()).kind === 'ssh';

/** The advice on how to make git trust an authority; GIT_SSL_CAINFO wins over git's settings. */
const trustFix = ({ world }: Examination, host: string): string =>
  world.env.GIT_SSL_CAINFO
    ? 'GIT_SSL_CAINFO names the authorities, over http.sslCAInfo: add the authority to that file, or unset the variable.'
    : `git config --global http.https://${host}/.sslCAInfo /path/to/the-authority.pem`;

const checkAnswer = async (examination: Examination): Promise<Finding> => {
  const { https } = examination;
  const { host } = new URL(await https.url());
  if (await throughSsh(examination))
    return readyFinding(`git goes to ${(await https.effective()).host} by SSH for this address.`);
  try {
    return findingOfAnswer(await https.answer(), host);
  } catch (error) {
    const finding = networkFinding(error, {
      address: 'Check the address by git remote -v, the network and the VPN.',
      trust: trustFix(examination, host),
    });
    if (finding === undefined) throw error;
    return (await https.trust()).known ? finding : uncheckedFinding(finding.what, finding.fix);
  }
};

const REFS = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\tHEAD$/m;

const listHead = async (examination: Examination, signal: AbortSignal): Promise<Finding> => {
  const { world, https, repository, callMs } = examination;
  const stall = String(Math.max(1, Math.round(callMs / 1000)));
  const url = await https.url();
  const settings = await repository.hostSettings();
  const end = await runOwnGit(world, settings.own, ['ls-remote', '--', url, 'HEAD'], {
    limitMs: 3 * callMs,
    signal,
    hosts: true,
    settings: [
      ['http.lowSpeedLimit', '1'],
      ['http.lowSpeedTime', stall],
      ['http.followRedirects', 'initial'],
      ['core.askPass', ''],
    ],
    env: { GIT_SSH_COMMAND: sshCommand(world, settings), GIT_SSH_VARIANT: 'ssh' },
  });
  if (end.exit !== 0) return judgeGit(end, new URL(url).host);
  const hash = REFS.exec(end.stdout)?.[0].slice(0, 12);
  // An empty answer is no sign-in page: its content type was seen, or SSH was used. `checkRefs` judges the other cases.
  return readyFinding(hash === undefined ? 'git reads it; the repository is empty.' : `git reads it; HEAD is ${hash}.`);
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
      return actionFinding(
        'The repository can only be read with credentials, and git has none for its host.',
        'See the group Credentials: shipworthy doctor --store-token, or the SSH option.',
      );
    if ((await credentials.answerToStored())?.read !== 'refs') throw new Unmet('credentials.accepted');
  }
  const finding = await listHead(examination, signal);
  // When the content type is unknown, an empty answer may have been a page.
  const unproven = kind === undefined && finding.state === 'ready' && !finding.what.includes('HEAD');
  return unproven
    ? uncheckedFinding('git printed nothing, and whether a page answered it could not be seen.')
    : finding;
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

/** The origin of a redirect's target: its path and query may hold secrets. */
const target = ({ url, headers: { location = '' } }: RawAnswer): string =>
  parsedUrl(location, url)?.origin ?? 'an address that is none';

const SIGN_IN = 'Open the address in a browser and sign in (proxy, single sign-on, guest network); then check again.';

const FINDINGS: Readonly<Record<AnswerKind, (host: string, answer: RawAnswer) => Finding>> = {
  refs: (host) => readyFinding(`${host} answers as git expects, without credentials.`),
  credentials: (host) => readyFinding(`${host} answers as git expects, and asks for credentials.`),
  sign_in_page: (host, { status }) =>
    actionFinding(`A sign-in page answered for ${host} (${status}), which git takes for an empty repository.`, SIGN_IN),
  elsewhere: (host, answer) =>
    actionFinding(
      `${host} leads to ${target(answer)}, where git would take your credentials next.`,
      `If that is a sign-in page: ${SIGN_IN} If the repository moved: git remote set-url.`,
    ),
  missing: (host, { status }) =>
    actionFinding(
      `${host} knows no such repository, or hides it (${status}).`,
      'Check the address by git remote -v, and at the host that you may read it.',
    ),
  proxy: () =>
    actionFinding(
      'A proxy asks for a sign-in first (407).',
      'Sign in at the proxy, or put user and password into HTTPS_PROXY.',
    ),
  refused: (host) =>
    uncheckedFinding(
      `${host} refused to answer (403).`,
      'Open the address in a browser: single sign-on, a limit, or a blocked network.',
    ),
  limited: (host, { status }) => uncheckedFinding(`${host} limits requests now (${status}).`, 'Try again later.'),
  failing: (host, { status }) =>
    uncheckedFinding(`${host} failed (${status}).`, 'Try again later; look at the status page of the host.'),
  other: (host, { status }) =>
    uncheckedFinding(
      `${host} answered ${status} with something that is not git's.`,
      'Open the address in a browser and look.',
    ),
};

/** What the host's answer to git's first request means. */
const findingOfAnswer = (answer: RawAnswer, host: string): Finding =>
  FINDINGS[judgeAnswer(answer, 'git-upload-pack')](host, answer);

/** Messages of git and their meaning; the first match counts. `$host` is replaced by the host. */
const SAYINGS: readonly (readonly [RegExp, Finding])[] = [
  [
    /could not read (Username|Password)|terminal prompts disabled/,
    actionFinding('git has no credentials for $host.', 'See the group Credentials: shipworthy doctor credentials'),
  ],
  [
    /Authentication failed|Invalid username or/,
    actionFinding(
      '$host did not accept the credentials git has.',
      'See the group Credentials: shipworthy doctor credentials',
    ),
  ],
  [
    /Permission denied \(|Could not read from remote repository[\s\S]*publickey/,
    actionFinding('$host accepts no SSH key of yours.', 'See the group Credentials: shipworthy doctor credentials'),
  ],
  [
    /Host key verification failed/,
    actionFinding(
      'The SSH key of $host is not known here, or has changed.',
      'Connect once by ssh -T git@$host and compare its fingerprint with the one the host publishes.',
    ),
  ],
  [
    /certificate|CAfile|CERT_/i,
    actionFinding(
      'git does not trust the certificate of $host.',
      'git config --global http.https://$host/.sslCAInfo /path/to/the-authority.pem',
    ),
  ],
  [
    /Could not resolve (host|proxy)/,
    uncheckedFinding(
      'The name $host cannot be resolved.',
      'Check the network (VPN, proxy) and the address of the remote.',
    ),
  ],
  [
    /not found|returned error: 404|does not appear to be a git repository/i,
    actionFinding(
      '$host knows no such repository, or hides it from you.',
      'Check the address by git remote -v, and at the host that you may read it.',
    ),
  ],
  [
    /returned error: 403/,
    uncheckedFinding(
      '$host refused to answer (403); that says nothing about the credentials.',
      'Look at the repository in the browser: single sign-on, a limit, or a missing right.',
    ),
  ],
  [/returned error: 429/, uncheckedFinding('$host limits requests now.', 'Try again later.')],
  [/returned error: 5\d\d/, uncheckedFinding('$host failed.', 'Try again later; look at the status page of the host.')],
  [
    /Operation too slow|timed? ?out|Operation timeout/i,
    uncheckedFinding('$host stopped answering.', 'Check the network (VPN, proxy, firewall) and try again.'),
  ],
  [
    /unable to update url base from redirection|redirect/i,
    actionFinding(
      '$host leads to another address.',
      'Open the address in the browser; correct the remote by git remote set-url.',
    ),
  ],
  [
    /Failed to connect|Connection refused|Connection reset|Couldn't connect|Empty reply|unexpected(ly)? (eof|closed)|Recv failure|SSL|gnutls|TLS|schannel/i,
    uncheckedFinding('$host cannot be reached.', 'Check the network (VPN, proxy, firewall) and try again.'),
  ],
];

/** Why git failed to list the repository; git's own text is never shown, since it may quote what a server or helper said. */
const judgeGit = ({ exit, stderr, timedOut, fault }: ProgramEnd, host: string): Finding => {
  const named = (text: string) => text.replaceAll('$host', host);
  if (timedOut)
    return uncheckedFinding(`${host} stopped answering.`, 'Check the network (VPN, proxy, firewall) and try again.');
  const [, saying] = SAYINGS.find(([pattern]) => pattern.test(stderr)) ?? [];
  if (saying === undefined)
    return uncheckedFinding(
      `git ended with ${exit ?? fault ?? 'a signal'} for a reason that is not known here.`,
      'git ls-remote origin HEAD',
    );
  return { ...saying, what: named(saying.what), fix: saying.fix === undefined ? undefined : named(saying.fix) };
};
