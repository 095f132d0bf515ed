import { EXIT } from '../../exit-code.js';
import { Failure, usageFailure } from '../../failure.js';
import { runGit } from '../../git/run-git.js';
import { userHelpers } from '../../git/user-settings.js';
import { NetworkFault } from '../../network/network-fault.js';
import type { Examination } from '../examination.js';
import { Unmet } from '../finding.js';
import { credentialInput } from './credential-facts.js';
import { helperFix } from './helper-fix.js';
import { readToken } from './read-token.js';
import { tokenUsername } from './token-username.js';
import { findingOfVerdict } from './verdict-finding.js';

/** What was stored, and by whom. */
export interface StoredToken {
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
  const { world, screen, globals, credentials } = examination;
  const url = await addressOf(examination);
  const { host } = new URL(url);
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
  const settings = await userHelpers(world, world.folder);
  await runGit(world, ['credential', 'approve'], { settings, input: credentialInput(url, { username, password }) });
  // approve says nothing of a helper that failed.
  const { stdout } = await runGit(world, ['credential', 'fill'], {
    settings,
    input: credentialInput(url, { username }),
  });
  if (!stdout.split(/\r?\n/).includes(`password=${password}`))
    throw needed(
      `The credential helper (${helpers.join(', ')}) did not keep the token.`,
      'token-not-kept',
      helperFix(world.platform),
    );
  return { stored: true, host, username, helpers };
};
