import { EXIT, Failure, usageFailure } from '../failure.js';
import { gitEnvironment, type HostSettings, runOwnGit } from '../git/run-git.js';
import { type ProgramEnd, runProgram } from '../run-program.js';
import type { World } from '../world.js';
import { type CredentialAnswer, credentialInput } from './credential-facts.js';
import {
  actionFinding,
  asWord,
  type Finding,
  inQuotes,
  networkFinding,
  readyFinding,
  Unmet,
  uncheckedFinding,
} from './finding.js';
import { NetworkFault } from './network.js';
import { foreignSettings } from './repository-facts.js';
import type { Examination, Group, Step } from './step.js';

interface SshTarget {
  readonly user: string;
  readonly host: string;
  readonly port: number | null;
}

/** Where SSH would go: where `insteadOf` of git leads, else an SSH remote of the same host, else the address's host. */
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

/** ssh ends with 255 for faults of its own, and else with the exit code of the host's greeting. */
const OWN_FAULT = 255;

const checkSshKey = async (examination: Examination, signal: AbortSignal): Promise<Finding> => {
  const target = await sshTarget(examination);
  const { user, host, port } = target;
  if (!isPlain(host) || !isPlain(user))
    return uncheckedFinding('The address of the remote is none that SSH could be given.');
  const at = port === null ? host : `${host}:${port}`;
  const by = `ssh -T ${port === null ? '' : `-p ${port} `}${user}@${host}`;
  const end = await greet(examination, target, signal);
  const agent = await keysInAgent(examination);
  if (end.exit !== null && end.exit !== OWN_FAULT && end.exit !== 127)
    return readyFinding(`${at} knows a key of yours. ${agent}`);
  if (end.exit === 127 || end.fault !== null) return actionFinding('ssh is not installed.', 'Install OpenSSH.');
  if (/Permission denied/.test(end.stderr))
    return actionFinding(
      `${at} knows no key of yours. ${agent}`,
      'ssh-keygen -t ed25519, then register the .pub file with your account at the host.',
    );
  if (/Host key verification failed|host key .* has changed/i.test(end.stderr))
    return actionFinding(
      `The key of ${at} is not known here, or has changed.`,
      `${by}, and compare its fingerprint with the one the host publishes.`,
    );
  return uncheckedFinding(
    `${at} does not answer SSH. ${agent}`,
    'Check the network (VPN, firewall); some hosts also answer SSH at port 443.',
  );
};

const checkSshRewrite = async (examination: Examination): Promise<Finding> => {
  const { https } = examination;
  const effective = await https.effective();
  const { origin } = new URL(await https.url());
  if (effective.kind === 'ssh') return readyFinding(`git goes to ${effective.host} by SSH for ${origin}/.`);
  const { user, host, port } = await sshTarget(examination);
  const prefix = port === null ? `${user}@${host}:` : `ssh://${user}@${host}:${port}/`;
  return actionFinding(
    `git does not rewrite ${origin}/ to SSH.`,
    `git config --global ${asWord(prefix) === prefix ? `url."${prefix}".insteadOf` : inQuotes(`url.${prefix}.insteadOf`)} ${origin}/`,
  );
};

const checkToken = async ({ world, https, credentials }: Examination): Promise<Finding> => {
  const { host } = new URL(await https.url());
  const helpers = await credentials.helpers();
  if ((await credentials.stored()) !== undefined)
    return readyFinding(`git has credentials for ${host}.`, helpers.length === 0 ? {} : { source: helpers.join(', ') });
  if (helpers.length === 0)
    return actionFinding(
      `git has no credentials for ${host}, and no helper to keep them.`,
      `${helperFix(world.platform)}, then: shipworthy doctor --store-token`,
    );
  return actionFinding(
    `git has no credentials for ${host} (asked: ${helpers.join(', ')}).`,
    'Create a token with read and write access to repositories at the host, then: shipworthy doctor --store-token',
  );
};

const checkAccepted = async ({ https, credentials }: Examination): Promise<Finding> => {
  const { host } = new URL(await https.url());
  try {
    const answer = await credentials.answerToStored();
    return answer === undefined
      ? uncheckedFinding('There are no credentials to offer.')
      : findingOfAnswer(answer, host);
  } catch (error) {
    const place = { address: 'See the group Reachable over HTTPS.', trust: 'See the group Reachable over HTTPS.' };
    const finding = networkFinding(error, place);
    if (finding === undefined) throw error;
    return uncheckedFinding(finding.what, finding.fix);
  }
};

const after: Step['after'] = ['repository.git', 'repository.remote'];

/** Credentials by token or by SSH: one of them is enough. */
export const CREDENTIAL_STEPS: Group = {
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

/**
 * The command that git uses for SSH, as a text for a shell, with options that keep it from asking. It is the user's own
 * command, never that of the repository in the folder.
 */
export const sshCommand = (world: World, { own }: HostSettings): string => {
  const set = own.findLast(([name]) => name === 'core.sshcommand')?.[1];
  const program = world.env.GIT_SSH_COMMAND || set || (world.env.GIT_SSH ? inQuotes(world.env.GIT_SSH) : 'ssh');
  return `${program} -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=8`;
};

const NEW_TOKEN =
  'Create a token with read and write access to repositories at the host, then: shipworthy doctor --store-token';

/**
 * Judges the host's answer to credentials. Only a 401 that asks for credentials means that they were rejected; never a
 * page, a limit or a 404.
 */
const findingOfAnswer = ({ read, write, status, scopes }: CredentialAnswer, host: string): Finding => {
  const both = [read, write];
  const named = scopes === undefined ? '' : ` Scopes it names: ${scopes}.`;
  if (read === 'refs' && write === 'refs') return readyFinding(`${host} accepts it for reading and writing.${named}`);
  if (read === 'credentials' || (read === 'refs' && write === 'credentials'))
    return actionFinding(`${host} rejected it (401).`, NEW_TOKEN);
  if (read === 'refs' && write === 'refused')
    return actionFinding(`${host} accepts it for reading, and refuses writing (403).${named}`, NEW_TOKEN);
  if (both.includes('missing'))
    return actionFinding(
      `${host} does not show the repository to the owner of these credentials (404).`,
      'At the host give the token, or its owner, access to the repository.',
    );
  if (both.includes('sign_in_page') || both.includes('elsewhere'))
    return uncheckedFinding(
      'A sign-in page answered; that says nothing about the credentials.',
      'See the group Reachable over HTTPS.',
    );
  return uncheckedFinding(`${host} answered ${status}, which says nothing about the credentials.`, 'Try again later.');
};

const HELPERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'osxkeychain', win32: 'manager' };

/** The command that sets git's credential helper: that of macOS or Windows, else one in memory for 10 hours. */
const helperFix = (platform: NodeJS.Platform): string =>
  `git config --global credential.helper ${HELPERS[platform] ?? "'cache --timeout=36000'"}`;

/** What was stored, and by whom. */
interface StoredToken {
  /** false: a dry run, which ends once the host accepted it. */
  readonly stored: boolean;
  readonly host: string;
  readonly username: string;
  readonly helpers: readonly string[];
}

const needed = (message: string, code: string, ...fixes: readonly string[]): Failure =>
  new Failure(EXIT.no, message, { code, fixes });

const addressOf = async ({ https }: Examination): Promise<string> => {
  try {
    return await https.url();
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    throw usageFailure(
      'There is no repository here with a remote at a host, so it is not known for which host the token is.',
      'shipworthy doctor repository',
    );
  }
};

const usernameFor = async ({ options, repository }: Examination, host: string): Promise<string> => {
  const link = await repository.link().catch(() => undefined);
  const username = options.tokenUsername ?? tokenUsername(link?.host, host);
  if (username === undefined)
    throw usageFailure(
      `Which user name ${host} wants beside a token is not known.`,
      'Give it by --token-username, as the host documents it.',
    );
  if (!/^[\x21-\x7e]+$/.test(username)) throw usageFailure('The user name holds blanks or other signs.');
  return username;
};

/**
 * Reads a token, has the host accept it for reading and writing, and hands it to git's own credential helper; keeps it nowhere
 * else. Failure: exit 2 without a repository or token, 3 when it is no good or no helper is there, 5 when the host cannot tell.
 */
export const storeToken = async (examination: Examination): Promise<StoredToken> => {
  const { world, screen, globals, credentials, repository } = examination;
  const url = await addressOf(examination);
  const { host } = new URL(url);
  const foreign = foreignSettings(await repository.hostSettings());
  if (foreign !== undefined) screen.warn(foreign);
  const username = await usernameFor(examination, host);
  const helpers = await credentials.helpers();
  if (helpers.length === 0)
    throw needed('git has no credential helper to keep the token.', 'no-credential-helper', helperFix(world.platform));
  const password = await readToken(world);
  screen.hide(password);
  const answer = await credentials.offer({ username, password }).catch((error: unknown) => {
    if (!(error instanceof NetworkFault)) throw error;
    throw new Failure(EXIT.unchecked, error.message, { code: 'host-unreachable', fixes: ['shipworthy doctor https'] });
  });
  const { state, what, fix } = findingOfAnswer(answer, host);
  if (state !== 'ready')
    throw new Failure(state === 'needs_action' ? EXIT.no : EXIT.unchecked, `The token was not stored: ${what}`, {
      code: state === 'needs_action' ? 'token-not-accepted' : 'token-not-checked',
      fixes: fix === undefined ? [] : [fix],
    });
  if (globals.dryRun) return { stored: false, host, username, helpers };
  const { own } = await repository.hostSettings();
  await runOwnGit(world, own, ['credential', 'approve'], { input: credentialInput(url, { username, password }) });
  // `git credential approve` reports no failure of a helper.
  const { stdout } = await runOwnGit(world, own, ['credential', 'fill'], { input: credentialInput(url, { username }) });
  if (!stdout.split(/\r?\n/).includes(`password=${password}`))
    throw needed(
      `The credential helper (${helpers.join(', ')}) did not keep the token.`,
      'token-not-kept',
      helperFix(world.platform),
    );
  return { stored: true, host, username, helpers };
};

/** The method that a terminal's stdin has and a stream lacks. */
interface RawStdin {
  setRawMode?(raw: boolean): unknown;
}

const INTERRUPT = '\u0003';
const ERASE = /[\b\u007f]/;

/** Reads characters until Enter without showing them. In raw mode the terminal hands over Ctrl-C as a character. */
const readTyped = async ({ stdin, stderr }: World): Promise<string> => {
  const terminal = stdin as RawStdin;
  stderr.write('Token (not shown): ');
  terminal.setRawMode?.(true);
  let text = '';
  try {
    for await (const chunk of stdin) {
      for (const sign of String(chunk)) {
        if (sign === INTERRUPT) throw usageFailure('No token was given.');
        if (sign === '\r' || sign === '\n') return text;
        text = ERASE.test(sign) ? text.slice(0, -1) : text + sign;
      }
    }
    return text;
  } finally {
    terminal.setRawMode?.(false);
    stderr.write('\n');
  }
};

const readPiped = async ({ stdin }: World): Promise<string> => {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > 10_000) break;
  }
  return text;
};

/** Reads a token from stdin, hidden when typed at a terminal. Failure (exit 2) for nothing, or for what cannot be a token. */
const readToken = async (world: World): Promise<string> => {
  const token = (world.stdin.isTTY ? await readTyped(world) : await readPiped(world)).trim();
  if (token === '') throw usageFailure('No token was given.', 'shipworthy doctor --store-token < file-with-the-token');
  if (!/^[\x21-\x7e]{1,4096}$/.test(token))
    throw usageFailure('What was given is no token: it holds blanks or other signs.');
  return token;
};

const BY_HOST: Readonly<Record<string, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  bitbucket: 'x-token-auth',
};

/**
 * The user name the host wants beside a token as password: by the name of the linked repository host, else by the name of the
 * machine; undefined where neither tells.
 */
export const tokenUsername = (hostName: string | undefined, host: string): string | undefined => {
  const known = hostName !== undefined && Object.hasOwn(BY_HOST, hostName) ? hostName : undefined;
  const name = known ?? Object.keys(BY_HOST).find((one) => new RegExp(`(^|\\.)${one}\\.`).test(host));
  return name === undefined ? undefined : BY_HOST[name];
};
