import { gitEnvironment, type HostSettings } from '../git/run-git.js';
import { type ProgramEnd, runProgram } from '../git/run-program.js';
import type { World } from '../world.js';
import type { CredentialVerdict } from './credential-facts.js';
import { asWord, couldNotCheck, type Finding, inQuotes, needsAction, networkFinding, ready } from './finding.js';
import type { Examination, Group, Step } from './step.js';

interface SshTarget {
  readonly user: string;
  readonly host: string;
  readonly port: number | null;
}

/** Where SSH would go: as the rewriting says, else as a remote says, else the host of the address. */
const sshTarget = async ({ https, repository }: Examination): Promise<SshTarget> => {
  const { host } = await https.place();
  const effective = await https.effective();
  const places = [effective, ...(await repository.remotes()).flatMap(({ place }) => place ?? [])];
  const ssh = places.find((one) => one.kind === 'ssh' && (one === effective || one.host === host));
  return { user: ssh?.user ?? 'git', host: ssh?.host ?? host, port: ssh?.port ?? null };
};

const isPlain = (text: string): boolean => /^[\w[][\w.:\]-]*$/.test(text);

const keysInAgent = async ({ world }: Examination): Promise<string> => {
  const end = await runProgram(['ssh-add', '-l'], {
    folder: world.folder,
    env: gitEnvironment(world.env),
    limitMs: 5_000,
  });
  if (end.exit === 0) {
    const count = end.stdout.trim().split('\n').length;
    return `The agent holds ${count} ${count === 1 ? 'key' : 'keys'}.`;
  }
  return end.exit === 1 ? 'The agent holds no key.' : 'No SSH agent runs.';
};

const greet = async (
  { world, repository, callMs }: Examination,
  target: SshTarget,
  signal: AbortSignal,
): Promise<ProgramEnd> => {
  const command = sshCommand(world, await repository.hostSettings());
  const port = target.port === null ? [] : ['-p', String(target.port)];
  return runProgram(['sh', '-c', `${command} "$@"`, 'ssh', '-T', ...port, '--', `${target.user}@${target.host}`], {
    folder: world.folder,
    env: gitEnvironment(world.env),
    limitMs: callMs + 8_000,
    signal,
  });
};

/** ssh ends with 255 for faults of its own, and else with what the host's greeting ended with. */
const OWN_FAULT = 255;

const checkSshKey = async (examination: Examination, signal: AbortSignal): Promise<Finding> => {
  const target = await sshTarget(examination);
  const { user, host, port } = target;
  if (!isPlain(host) || !isPlain(user))
    return couldNotCheck('The address of the remote is none that SSH could be given.');
  const at = port === null ? host : `${host}:${port}`;
  const by = `ssh -T ${port === null ? '' : `-p ${port} `}${user}@${host}`;
  const end = await greet(examination, target, signal);
  const agent = await keysInAgent(examination);
  if (end.exit !== null && end.exit !== OWN_FAULT && end.exit !== 127)
    return ready(`${at} knows a key of yours. ${agent}`);
  if (end.exit === 127 || end.fault !== null) return needsAction('ssh is not installed.', 'Install OpenSSH.');
  if (/Permission denied/.test(end.stderr))
    return needsAction(
      `${at} knows no key of yours. ${agent}`,
      'ssh-keygen -t ed25519, then register the .pub file with your account at the host.',
    );
  if (/Host key verification failed|host key .* has changed/i.test(end.stderr))
    return needsAction(
      `The key of ${at} is not known here, or has changed.`,
      `${by}, and compare its fingerprint with the one the host publishes.`,
    );
  return couldNotCheck(
    `${at} does not answer SSH. ${agent}`,
    'Check the network (VPN, firewall); some hosts also answer SSH at port 443.',
  );
};

const checkSshRewrite = async (examination: Examination): Promise<Finding> => {
  const { https } = examination;
  const effective = await https.effective();
  const { origin } = new URL(await https.url());
  if (effective.kind === 'ssh') return ready(`git goes to ${effective.host} by SSH for ${origin}/.`);
  const { user, host, port } = await sshTarget(examination);
  const prefix = port === null ? `${user}@${host}:` : `ssh://${user}@${host}:${port}/`;
  return needsAction(
    `git does not rewrite ${origin}/ to SSH.`,
    `git config --global ${asWord(prefix) === prefix ? `url."${prefix}".insteadOf` : inQuotes(`url.${prefix}.insteadOf`)} ${origin}/`,
  );
};

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

/** Credentials by token or by SSH: one of them is enough. */
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

/** The command git uses for SSH, made never to ask: the user's own, never that of the repository in the folder, with options added, as a text for a shell. */
export const sshCommand = (world: World, { own }: HostSettings): string => {
  const set = own.findLast(([name]) => name === 'core.sshcommand')?.[1];
  const program = world.env.GIT_SSH_COMMAND || set || (world.env.GIT_SSH ? inQuotes(world.env.GIT_SSH) : 'ssh');
  return `${program} -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=8`;
};

const NEW_TOKEN =
  'Create a token with read and write access to repositories at the host, then: shipworthy doctor --store-token';

/** The finding from the host's answer to credentials. Only a 401 that asks for credentials rejects them; never a page, a limit or a 404. */
export const findingOfVerdict = ({ read, write, status, scopes }: CredentialVerdict, host: string): Finding => {
  const both = [read, write];
  const named = scopes === undefined ? '' : ` Scopes it names: ${scopes}.`;
  if (read === 'refs' && write === 'refs') return ready(`${host} accepts it for reading and writing.${named}`);
  if (read === 'credentials' || (read === 'refs' && write === 'credentials'))
    return needsAction(`${host} rejected it (401).`, NEW_TOKEN);
  if (read === 'refs' && write === 'refused')
    return needsAction(`${host} accepts it for reading, and refuses writing (403).${named}`, NEW_TOKEN);
  if (both.includes('missing'))
    return needsAction(
      `${host} shows the repository not to whom it belongs (404).`,
      'At the host give the token, or its owner, access to the repository.',
    );
  if (both.includes('sign_in_page') || both.includes('elsewhere'))
    return couldNotCheck(
      'A sign-in page answered; that says nothing about the credentials.',
      'See the group Reachable over HTTPS.',
    );
  return couldNotCheck(`${host} answered ${status}, which says nothing about the credentials.`, 'Try again later.');
};

const HELPERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'osxkeychain', win32: 'manager' };

/** The command that gives git a place to keep credentials; elsewhere than on macOS and Windows one in memory, for a working day. */
export const helperFix = (platform: NodeJS.Platform): string =>
  `git config --global credential.helper ${HELPERS[platform] ?? "'cache --timeout=36000'"}`;
