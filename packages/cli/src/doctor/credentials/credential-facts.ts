import { runGit } from '../../git/run-git.js';
import { userHelpers } from '../../git/user-settings.js';
import type { RawAnswer } from '../../network/ask.js';
import type { HttpsFacts } from '../https/https-facts.js';
import { type AnswerKind, judgeAnswer } from '../https/judge-answer.js';
import { once } from '../once.js';
import type { RepositoryFacts } from '../repository/repository-facts.js';
import type { Surroundings } from '../surroundings.js';
import { saidScopes } from './said-scopes.js';

/** What git would offer the host. Never shown. */
export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** What the host says to a credential. */
export interface CredentialVerdict {
  readonly read: AnswerKind;
  /** Answered as if somebody wanted to push; nothing is pushed. */
  readonly write: AnswerKind;
  readonly status: number;
  /** As the host names them; undefined: it does not. */
  readonly scopes?: string | undefined;
}

export interface CredentialFacts {
  /** The names of git's credential helpers for the host; what they are called with is left out. */
  readonly helpers: () => Promise<readonly string[]>;
  /** What git has for the host; undefined: nothing it could offer without asking. */
  readonly stored: () => Promise<Credential | undefined>;
  /** undefined: there is nothing to offer. */
  readonly verdict: () => Promise<CredentialVerdict | undefined>;
  /** What the host says to any credential. NetworkFault. */
  readonly offer: (credential: Credential) => Promise<CredentialVerdict>;
}

/** A credential as git's helpers read it. */
export const credentialInput = (url: string, credential?: Partial<Credential>): string => {
  const { host, pathname } = new URL(url);
  const lines = { protocol: 'https', host, path: pathname.slice(1), ...credential };
  return `${Object.entries(lines)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n\n`;
};

const member = (text: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]?.replace(/\r$/, '') ?? '';

/** The name of a helper; a command of the user's own may hold anything. */
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
    const judged = async (service: Parameters<typeof judgeAnswer>[1]): Promise<readonly [AnswerKind, RawAnswer]> => {
      const answer = await https.probe(url, service, `Basic ${basic}`);
      return [judgeAnswer(answer, service), answer];
    };
    const [read] = await judged('git-upload-pack');
    const [write, { status }] = await judged('git-receive-pack');
    const scopes = read === 'refs' ? await saidScopes(https, await hostName(), { username, password }) : undefined;
    return { read, write, status, scopes };
  };
  const stored = once(async () => {
    const { exit, stdout } = await runGit(world, ['credential', 'fill'], {
      input: credentialInput(await https.url()),
      limitMs: callMs,
      settings: [['core.askPass', ''], ...(await userHelpers(world, world.folder))],
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
      const all = await userHelpers(world, world.folder);
      const settings = names.flatMap((name) => all.flatMap(([of, value]) => (of === name ? [value] : [])));
      // An empty setting takes back those before it.
      return settings.slice(settings.lastIndexOf('') + 1).map(helperName);
    }),
    verdict: once(async () => {
      const credential = await stored();
      return credential === undefined ? undefined : offer(credential);
    }),
  };
};
