import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runIn } from '../../stand-in.js';
import { type Laptop, type Office, openLaptop, openOffice } from './laptop.js';

/** A screen of the documentation: its heading there, what is typed, and what is wrong. */
export interface Scene {
  readonly heading: string;
  readonly words: readonly string[];
  /** Spoils the laptop; answers what it became, and how to end what was started for it. */
  readonly spoil: (
    laptop: Laptop,
    office: Office,
  ) => Promise<{ readonly laptop: Laptop; readonly end?: () => Promise<void> }>;
}

const TOKEN = 'a-token-that-writes';
const withEnv = (laptop: Laptop, env: Readonly<Record<string, string>>) => ({
  laptop: { ...laptop, env: { ...laptop.env, ...env } },
});

/** Another server than ours, with a page. */
const pageServer = async () => {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const end = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, end };
};

export const SCENES: readonly Scene[] = [
  { heading: 'Everything is ready', words: [], spoil: async (laptop) => ({ laptop }) },
  {
    heading: 'No settings',
    words: ['server.settings', 'server.key_found'],
    spoil: async (laptop) => withEnv(laptop, { SHIPWORTHY_API_URL: '', SHIPWORTHY_API_KEY: '' }),
  },
  {
    heading: 'Something else answers',
    words: ['server.answer'],
    spoil: async (laptop) => {
      const { url, end } = await pageServer();
      return { ...withEnv(laptop, { SHIPWORTHY_API_URL: url }), end };
    },
  },
  {
    heading: 'The key was rejected',
    words: ['server.scopes'],
    spoil: async (laptop, { service }) => {
      const { data } = (
        await service.person.createApiKey({ body: { name: 'former', scopes: ['read'], all_teams: true } })
      ).body;
      await service.person.revokeApiKey({ path: { api_key_id: data.id } });
      return withEnv(laptop, { SHIPWORTHY_API_KEY: data.key });
    },
  },
  {
    heading: 'The host rejected the connection',
    words: ['host'],
    spoil: async (laptop, { service }) => {
      service.forge.revokeTokens();
      return { laptop };
    },
  },
  {
    heading: 'Another repository',
    words: ['repository'],
    spoil: async (laptop, { host }) => {
      host.addRepository('acme/pay');
      laptop.git('remote', 'set-url', 'origin', `${host.url}/acme/pay.git`);
      return { laptop };
    },
  },
  {
    heading: 'A token in the address',
    words: ['repository.secret'],
    spoil: async (laptop, { host }) => {
      laptop.git('remote', 'set-url', 'origin', `https://ada:${TOKEN}@localhost:${host.port}/acme/shop.git`);
      return { laptop };
    },
  },
  {
    heading: 'A sign-in page',
    words: ['https'],
    spoil: async (laptop, { host }) => {
      host.behave((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      });
      return { laptop };
    },
  },
  {
    heading: 'An authority that git does not trust',
    words: ['https'],
    spoil: async (laptop, { certificates }) => {
      laptop.set('http.sslCAInfo', certificates.otherAuthority);
      return { laptop };
    },
  },
  {
    heading: 'No credentials',
    words: ['https', 'credentials'],
    spoil: async (laptop) => {
      laptop.git('config', '--global', '--unset', 'credential.helper');
      return withEnv(laptop, {});
    },
  },
  {
    heading: 'A token that only reads',
    words: ['credentials'],
    spoil: async (laptop, { host }) => {
      host.tokens.set(TOKEN, 'read');
      return withEnv(laptop, {});
    },
  },
  {
    heading: 'An agent that changes files',
    words: ['agent', '--agent', 'echo more >> README.md; echo done #'],
    spoil: async (laptop) => {
      writeFileSync(join(laptop.folder, 'README.md'), 'The shop, and all that it sells.\n');
      laptop.git('add', 'README.md');
      return { laptop };
    },
  },
];

/** Puts made-up names in place of what differs from run to run. */
const neutral = (text: string, laptop: Laptop, { host, service }: Office): string =>
  text
    .replaceAll(laptop.folder, '/home/ada/shop')
    .replaceAll(service.url, 'http://127.0.0.1:4400')
    .replaceAll(`localhost:${host.port}`, 'git.example.com')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4400')
    .replace(/\blocalhost\b/g, 'git.example.com')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, '2027-02-19')
    .replace(/git \d+\.\d+ is/, 'git 2.39 is')
    .replace(/HEAD is [0-9a-f]{12}/, 'HEAD is 3f2a9c81b7d0');

/** Plays a scene in an office of its own; answers the screen. */
export const play = async ({ words, spoil }: Scene): Promise<string> => {
  const office = await openOffice();
  office.host.tokens.set(TOKEN, 'write');
  // Whether this machine runs an sshd must not show.
  const laptop = await openLaptop(office, { env: { GIT_SSH_COMMAND: 'ssh -o Port=9' } });
  try {
    laptop.store('x-access-token', TOKEN);
    const spoiled = await spoil(laptop, office);
    const { out } = await runIn(spoiled.laptop, 'doctor', ...words);
    await spoiled.end?.();
    return neutral(out, laptop, office);
  } finally {
    await laptop.remove();
    await office.close();
  }
};
