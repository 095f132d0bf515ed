import { EXIT, Failure, usageFailure } from '../failure.js';
import { runOwnGit } from '../git/run-git.js';
import type { World } from '../world.js';
import { credentialInput } from './credential-facts.js';
import { findingOfVerdict, helperFix } from './credential-steps.js';
import { Unmet } from './finding.js';
import { NetworkFault } from './network.js';
import { foreignSettings } from './repository-facts.js';
import type { Examination } from './step.js';

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
  const verdict = await credentials.offer({ username, password }).catch((error: unknown) => {
    if (!(error instanceof NetworkFault)) throw error;
    throw new Failure(EXIT.unchecked, error.message, { code: 'host-unreachable', fixes: ['shipworthy doctor https'] });
  });
  const { state, what, fix } = findingOfVerdict(verdict, host);
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

/** Reads signs until Enter without showing them. The terminal hands over Ctrl-C as a sign then. */
const typed = async ({ stdin, stderr }: World): Promise<string> => {
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

const piped = async ({ stdin }: World): Promise<string> => {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > 10_000) break;
  }
  return text;
};

/** Reads a token from stdin, hidden when typed at a terminal. Failure (exit 2) for nothing, or for what cannot be a token. */
const readToken = async (world: World): Promise<string> => {
  const token = (world.stdin.isTTY ? await typed(world) : await piped(world)).trim();
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
