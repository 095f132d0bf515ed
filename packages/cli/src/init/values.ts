import { parsedUrl } from '@shipworthy/client/contract';
import { usageFailure } from '../failure.js';
import { holdsKey } from '../output/hiding.js';
import { findProject } from '../project/find-project.js';
import type { Session } from '../session.js';
import type { SnippetValues } from '../snippet/ci-system.js';
import { VERSION } from '../version.js';
import { mainBranch } from './main-branch.js';

// Whatever else a name may hold has a meaning of its own in some CI system or shell.
const PLAIN_NAME = /^[\p{L}\p{N} ._/@+-]+$/u;
const PLAIN_ADDRESS = /^[\p{L}\p{N}._/:+-]+$/u;

const plain = (what: string, text: string, pattern = PLAIN_NAME): string => {
  if (holdsKey(text)) throw usageFailure(`The ${what} holds an API key.`, 'No file of a repository is to hold one.');
  if (pattern.test(text)) return text;
  throw usageFailure(
    `The ${what} ${text} holds signs that mean something else in CI files.`,
    'Set it there by hand, in the variables of the CI system.',
  );
};

const address = (text: string): string => {
  const url = parsedUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usageFailure(`${text} is not an http or https address.`);
  if (url.username !== '' || url.password !== '')
    throw usageFailure('The address holds a user or password.', 'Leave them out.');
  return plain('address', text, PLAIN_ADDRESS);
};

/** What the files are filled with; the project is asked for at the server only when no setting names it. Failure (exit 2) for what is missing. */
export const valuesFor = async (
  session: Session,
  wish: { readonly environment: string; readonly branch?: string | undefined },
  exists: (path: string) => boolean,
): Promise<SnippetValues> => {
  const { apiUrl, apiKey, app } = await session.settings();
  if (apiUrl === undefined) throw usageFailure('No server address is set.', 'Give --api-url.');
  if (app === undefined && apiKey === undefined) throw usageFailure('No project is named.', 'Give --app.');
  const name = app?.value ?? (await findProject((await session.connect()).client, { app: undefined })).name;
  return {
    apiUrl: address(apiUrl.value),
    app: plain('project name', name),
    environment: plain('environment', wish.environment),
    branch: plain('branch', wish.branch ?? (await mainBranch(session.world))),
    test: exists('package.json') ? 'npm test' : 'make test',
    shipworthy: `@shipworthy/cli@${VERSION}`,
  };
};
