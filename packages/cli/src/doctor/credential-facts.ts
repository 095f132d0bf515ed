import type { RemotePlace } from '../git/remote-url.js';
import { runOwnGit } from '../git/run-git.js';
import { type AnswerKind, type HttpsFacts, judgeAnswer } from './https-facts.js';
import type { RawAnswer } from './network.js';
import type { RepositoryFacts } from './repository-facts.js';
import { once, type Surroundings } from './surroundings.js';

/** What git would offer the host. Never shown. */
interface Credential {
  readonly username: string;
  readonly password: string;
}

/** What the host says to a credential. */
export interface CredentialAnswer {
  readonly read: AnswerKind;
  /** The answer to a request to push; nothing is pushed. */
  readonly write: AnswerKind;
  readonly status: number;
  /** The scopes as the host names them; undefined: it names none. */
  readonly scopes?: string | undefined;
}

export interface CredentialFacts {
  /** The names of git's credential helpers for the host, without their arguments. */
  readonly helpers: () => Promise<readonly string[]>;
  /** What git has for the host; undefined: nothing it could offer without asking. */
  readonly stored: () => Promise<Credential | undefined>;
  /** What the host says to the stored credential; undefined: there is none. */
  readonly answerToStored: () => Promise<CredentialAnswer | undefined>;
  /** What the host says to the given credential. Throws NetworkFault. */
  readonly offer: (credential: Credential) => Promise<CredentialAnswer>;
}

/** A credential in the text form that git's helpers read. */
export const credentialInput = (url: string, credential?: Partial<Credential>): string => {
  const { host, pathname } = new URL(url);
  const lines = { protocol: 'https', host, path: pathname.slice(1), ...credential };
  return `${Object.entries(lines)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n\n`;
};

const member = (text: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]?.replace(/\r$/, '') ?? '';

/** The name of a helper to show; a command of the user's own is not shown, since it may hold a secret. */
const helperName = (setting: string): string =>
  /^[\w-]+/.exec(setting)?.[0] ?? (setting.startsWith('/') ? 'a program of your own' : 'a command of your own');

export const credentialFacts = (
  { world, screen, callMs }: Surroundings,
  https: HttpsFacts,
  repository: RepositoryFacts,
): CredentialFacts => {
  const hostName = () =>
    repository.link().then(
      ({ host }) => host,
      () => undefined,
    );
  const offer: CredentialFacts['offer'] = async ({ username, password }) => {
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    screen.hide(basic);
    const url = await https.url();
    const probeAndJudge = async (
      service: Parameters<typeof judgeAnswer>[1],
    ): Promise<readonly [AnswerKind, RawAnswer]> => {
      const answer = await https.probe(url, service, `Basic ${basic}`);
      return [judgeAnswer(answer, service), answer];
    };
    const [read] = await probeAndJudge('git-upload-pack');
    const [write, { status }] = await probeAndJudge('git-receive-pack');
    const scopes = read === 'refs' ? await saidScopes(https, await hostName(), { username, password }) : undefined;
    return { read, write, status, scopes };
  };
  const stored = once(async () => {
    const { own } = await repository.hostSettings();
    const { exit, stdout } = await runOwnGit(world, own, ['credential', 'fill'], {
      input: credentialInput(await https.url()),
      limitMs: callMs,
      settings: [['core.askPass', '']],
    });
    const found = { username: member(stdout, 'username'), password: member(stdout, 'password') };
    screen.hide(found.password);
    return exit === 0 && found.password !== '' ? found : undefined;
  });
  return {
    stored,
    offer,
    helpers: once(async () => {
      const { origin } = new URL(await https.url());
      const names = ['credential.helper', `credential.${origin}.helper`];
      const { own } = await repository.hostSettings();
      const settings = names.flatMap((name) => own.flatMap(([of, value]) => (of === name ? [value] : [])));
      // For git an empty value removes the helpers that were set before it.
      return settings.slice(settings.lastIndexOf('') + 1).map(helperName);
    }),
    answerToStored: once(async () => {
      const credential = await stored();
      return credential === undefined ? undefined : offer(credential);
    }),
  };
};

/** The address of GitHub's API for that host, which names the scopes of a classic token with every answer. */
const interfaceOf = ({ host, port }: RemotePlace): string =>
  host === 'github.com' ? 'https://api.github.com/' : `https://${host}${port === null ? '' : `:${port}`}/api/v3/`;

/** The scopes the host itself names for a token, as in `repo, read:org`; undefined where it names none. */
const saidScopes = async (
  https: HttpsFacts,
  hostName: string | undefined,
  { password }: { readonly username: string; readonly password: string },
): Promise<string | undefined> => {
  const place = await https.place();
  if (hostName !== 'github' && place.host !== 'github.com') return undefined;
  const answer = await https.ask(new URL(interfaceOf(place)), `Bearer ${password}`).catch(() => undefined);
  const told = answer?.status === 200 ? answer.headers['x-oauth-scopes'] : undefined;
  return typeof told === 'string' && /^[\w:, -]{1,500}$/.test(told) ? told : undefined;
};
