import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ProblemError } from '@shipworthy/client';
import { parsedUrl } from '@shipworthy/client/contract';
import { Failure } from '../failure.js';
import { FLAG, objectWith, requireUsed, TEXT } from '../schema.js';
import { type CommandSettings, isCi } from '../settings.js';
import { VERSION } from '../version.js';
import {
  actionFinding,
  type Finding,
  type Fixes,
  networkFinding,
  readyFinding,
  Unmet,
  uncheckedFinding,
} from './finding.js';
import { type NetworkRoute, networkFault, openSocket, routeTo, secured } from './network.js';
import { usableProxy } from './server-facts.js';
import type { Examination, Step } from './step.js';

const routeOf = async ({ server }: Examination): Promise<NetworkRoute> =>
  routeTo(await server.address(), await usableProxy(server.proxy));

const fixesFor = async ({ server }: Examination): Promise<Fixes> => {
  const { apiUrl } = await server.settings();
  return {
    address: `Check the address in ${apiUrl?.source.name ?? 'the settings'}, that the server runs, and that the VPN it may need is on.`,
    trust: "Save the authority's certificate as a PEM file and set NODE_EXTRA_CA_CERTS=/path/to/that.pem.",
  };
};

const withFixes =
  (check: Step['check']): Step['check'] =>
  async (examination, signal) => {
    try {
      return await check(examination, signal);
    } catch (error) {
      const finding = networkFinding(error, await fixesFor(examination));
      if (finding === undefined) throw error;
      return finding;
    }
  };

const checkName = withFixes(async (examination) => {
  const route = await routeOf(examination);
  const { host } = route.proxy === undefined ? route : routeTo(route.proxy.url, undefined);
  if (isIP(host)) return readyFinding(`${host} needs no name to be looked up.`);
  const found = await lookup(host, { all: true }).catch((error: unknown) => {
    throw networkFault(error, host);
  });
  return readyFinding(
    `${host}${route.proxy ? ' (the proxy)' : ''} is ${found.map(({ address }) => address).join(', ')}.`,
  );
});

const checkPort = withFixes(async (examination, signal) => {
  const route = await routeOf(examination);
  const socket = await openSocket(route, signal);
  socket.destroy();
  return readyFinding(`${route.host}:${route.port} takes connections${route.proxy ? ' through the proxy' : ''}.`);
});

const checkCertificate = withFixes(async (examination, signal) => {
  const { protocol } = await examination.server.address();
  if (protocol === 'http:') return readyFinding('Not needed on this machine.');
  const route = await routeOf(examination);
  const socket = await secured(await openSocket(route, signal), route, {}, signal);
  socket.destroy();
  return readyFinding(`The certificate of ${route.host} is trusted and valid.`);
});

const somethingElse = (what: string): Finding =>
  actionFinding(
    `Something else than a Shipworthy server answers: ${what}.`,
    'Check the address; behind a proxy or in a guest network sign in there first.',
  );

const numbersOf = (version: string): readonly number[] => version.split(/[.+-]/, 3).map((part) => Number(part) || 0);

/** How the server's version compares with this command's, in words. */
export const versionComparison = (version: string | null, own = VERSION): string => {
  if (version === null || version === own) return '';
  const [theirs, ours] = [numbersOf(version), numbersOf(own)];
  const place = theirs.findIndex((number, index) => number !== ours[index]);
  if (place < 0) return ` of version ${version}`;
  const isNewer = (theirs[place] ?? 0) > (ours[place] ?? 0);
  return isNewer
    ? ` of version ${version}, newer than this command (${own}), which overlooks what it does not know`
    : ` of version ${version}, older than this command (${own}): what it does not know yet is refused there`;
};

const checkAnswer = withFixes(async ({ server }) => {
  const { isOurs, status, contentType, redirect, version } = await server.answer();
  if (isOurs) return readyFinding(`It answers as a Shipworthy server${versionComparison(version)}.`);
  if (redirect !== null) return somethingElse(`it leads to ${redirect}`);
  if (status === 429 || status >= 500)
    return uncheckedFinding(
      `The server answered ${status}.`,
      'Try again; if it lasts, tell the operator of the server.',
    );
  return somethingElse(`${contentType === 'text/html' ? 'a page' : contentType || 'nothing with a type'} (${status})`);
});

const CLOCK_MOST_MS = 120_000;

const checkClock = async ({ server, world }: Examination): Promise<Finding> => {
  const { aheadMs } = await server.answer();
  if (aheadMs === null) return uncheckedFinding('The server tells no time.');
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= CLOCK_MOST_MS)
    return readyFinding("This machine's clock and the server's agree within two minutes.");
  return actionFinding(
    `This machine's clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the server's.`,
    clockFix(world.platform),
  );
};

/** The steps from looking up the name to an answer of the server. */
export const CONNECTION_STEPS: readonly Step[] = [
  {
    id: 'server.name',
    title: 'Name resolves',
    after: ['server.address', 'server.proxy'],
    limitMs: 10_000,
    check: checkName,
  },
  { id: 'server.port', title: 'Port is open', after: ['server.name'], limitMs: 10_000, check: checkPort },
  {
    id: 'server.certificate',
    title: 'TLS certificate',
    after: ['server.port'],
    limitMs: 10_000,
    check: checkCertificate,
  },
  { id: 'server.answer', title: 'Server answers', after: ['server.certificate'], limitMs: 12_000, check: checkAnswer },
  { id: 'server.clock', title: 'Clock', after: ['server.answer'], limitMs: 12_000, check: checkClock },
];

const leftAside = (lines: readonly string[]): string => lines.map((line) => ` Left aside: ${line}`).join('');

const checkSettings = async ({ server }: Examination): Promise<Finding> => {
  try {
    const { apiUrl, leftAside: aside } = await server.settings();
    if (apiUrl === undefined)
      return actionFinding(
        `No server address is set.${leftAside(aside)}`,
        'Set SHIPWORTHY_API_URL, or api_url in .shipworthy.json.',
      );
    return readyFinding(`The server address is ${apiUrl.value}.`, { source: apiUrl.source.name });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return actionFinding(error.message, error.fixes[0] ?? 'Correct the file.');
  }
};

const readable = async ({ server }: Examination): Promise<CommandSettings> => {
  try {
    return await server.settings();
  } catch (error) {
    throw error instanceof Failure ? new Unmet('server.settings') : error;
  }
};

const checkKeyFound = async (examination: Examination): Promise<Finding> => {
  const { apiKey, leftAside: aside, keyFix } = await readable(examination);
  if (apiKey === undefined && keyFix !== undefined)
    return actionFinding(`No API key may be sent to this server.${leftAside(aside)}`, keyFix);
  if (apiKey === undefined)
    return actionFinding(
      `No API key is set.${leftAside(aside)}`,
      'Create one in the application under Settings, API keys, and put it into SHIPWORTHY_API_KEY or into a file that SHIPWORTHY_API_KEY_FILE names.',
    );
  return readyFinding(`There is an API key.${leftAside(aside)}`, { source: apiKey.source.name });
};

const EXPOSED = /^(.* holds a key and (?:is tracked by git|others can read it)): (.*)$/;

const checkSafety = async (examination: Examination): Promise<Finding> => {
  const { warnings } = await readable(examination);
  if (warnings.length === 0) return readyFinding('No settings file gives a key away.');
  const parts = warnings.map((line) => EXPOSED.exec(line) ?? [line, line, 'Correct the file.']);
  return actionFinding(
    parts.map(([, what = '']) => (what.endsWith('.') ? what : `${what}.`)).join(' '),
    parts.map(([, , fix]) => fix).join(' '),
  );
};

const checkAddress = async ({ server }: Examination): Promise<Finding> => {
  const { apiUrl, allowInsecureHttp } = await server.settings();
  const { name } = apiUrl?.source ?? { name: 'the settings' };
  const correct = `Write ${name} like https://ship.example.com.`;
  const url = parsedUrl(apiUrl?.value ?? '');
  if (url === undefined) return actionFinding('The server address is no address.', correct);
  const { protocol, hostname, username, password, search, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return actionFinding('The server address is not https.', correct);
  if (username || password || search || hash)
    return actionFinding('The server address holds more than scheme, host and path.', correct);
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLoopback && allowInsecureHttp)
    return readyFinding(`Plain http to ${hostname}, as allow_insecure_http in your settings file says.`);
  if (protocol === 'http:' && !isLoopback)
    return actionFinding(
      `Over plain http everybody on the way to ${hostname} could read the key.`,
      `Use https in ${name}, or set "allow_insecure_http": true in your own settings file.`,
    );
  return readyFinding(protocol === 'https:' ? 'It is an https address.' : 'It is an address of this machine.');
};

const checkProxy = async ({ server, world }: Examination): Promise<Finding> => {
  const proxy = await server.proxy();
  if (proxy !== undefined)
    return readyFinding(`The way to the server leads through the proxy ${proxy.url.host}.`, { source: proxy.name });
  const exempt = world.env.no_proxy || world.env.NO_PROXY;
  return readyFinding(
    exempt ? 'No proxy is used for the server; NO_PROXY is set.' : 'No proxy is used for the server.',
  );
};

const quick = { limitMs: 10_000 } as const;

export const SETTINGS_STEPS: readonly Step[] = [
  { id: 'server.settings', title: 'Server address found', after: [], ...quick, check: checkSettings },
  { id: 'server.key_found', title: 'API key found', after: [], ...quick, check: checkKeyFound },
  { id: 'server.safety', title: 'API key kept safely', after: [], ...quick, check: checkSafety },
  { id: 'server.address', title: 'Server address is one', after: ['server.settings'], ...quick, check: checkAddress },
  { id: 'server.proxy', title: 'Proxy', after: ['server.address'], ...quick, check: checkProxy },
];

const checkKey = async ({ server }: Examination): Promise<Finding> => {
  const { apiKey } = await server.settings();
  try {
    const { name } = await server.caller();
    return readyFinding(`The server accepts the key “${name}”.`, { source: apiKey?.source.name });
  } catch (error) {
    // Only the server's own refusal says anything about the key.
    if (!(error instanceof ProblemError) || error.status !== 401 || error.type !== 'unauthenticated') throw error;
    return actionFinding(
      `The server rejected the key from ${apiKey?.source.name}: ${error.detail || error.title}`,
      'Create a key in the application under Settings, API keys, and put it there.',
    );
  }
};

const REPORTING = ['deployments:write', 'test-runs:write'] as const;

const checkScopes = async ({ server, world }: Examination): Promise<Finding> => {
  const { scopes } = await server.caller();
  const fix = (wanted: string) => `Create a key with ${wanted} under Settings, API keys.`;
  if (!scopes.includes('read')) return actionFinding('The key may not read.', fix('the scope read'));
  const missing = REPORTING.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return readyFinding('The key may read and report.');
  const what = `The key may read; for reporting it lacks ${missing.join(' and ')}`;
  // A laptop only needs to read; the pipeline that reports has its own key.
  return isCi(world)
    ? actionFinding(`${what}.`, fix(missing.join(' and ')))
    : readyFinding(`${what}, which pipelines need.`);
};

const DAY_MS = 86_400_000;
/** How long before its end a key is said to expire soon; the server uses the same time. */
const SOON_MS = 14 * DAY_MS;

const checkExpiry = async ({ server, world }: Examination): Promise<Finding> => {
  const { expires_at } = await server.caller();
  const left = Date.parse(expires_at) - world.now();
  const days = Math.floor(left / DAY_MS);
  const day = expires_at.slice(0, 10);
  if (left > SOON_MS) return readyFinding(`The key is good until ${day}.`);
  return actionFinding(
    `The key ends on ${day}, in ${Math.max(days, 0)} ${days === 1 ? 'day' : 'days'}.`,
    'Create its successor under Settings, API keys, and put it in its place.',
  );
};

/** The steps that check the key. */
export const KEY_STEPS: readonly Step[] = [
  {
    id: 'server.key',
    title: 'API key accepted',
    after: ['server.key_found', 'server.answer'],
    limitMs: 15_000,
    check: checkKey,
  },
  { id: 'server.scopes', title: 'API key suffices', after: ['server.key'], limitMs: 15_000, check: checkScopes },
  { id: 'server.expiry', title: 'API key lasts', after: ['server.key'], limitMs: 15_000, check: checkExpiry },
];

const TITLES: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab' };

/** How people call the server's repository host. */
export const hostTitle = (name: string | null): string => TITLES[name ?? ''] ?? name ?? 'the repository host';

const HOST = objectWith({ configured: FLAG, connected: FLAG, account: TEXT }, 'account');
const CHECK = objectWith({ status: TEXT });

const readHost = async ({ server }: Examination) => {
  const { body } = await (await server.client()).readHostConnection();
  requireUsed('GET /api/settings/{host}', HOST, body);
  return body;
};

const checkConfigured = async (examination: Examination): Promise<Finding> => {
  const { hostName } = await examination.server.answer();
  const { configured } = await readHost(examination);
  if (configured) return readyFinding(`The server is set up to connect ${hostTitle(hostName)}.`);
  return actionFinding(
    'The server is not set up to connect a repository host.',
    "The server's administrator has to enable it: GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET, or GITLAB_CLIENT_ID and GITLAB_CLIENT_SECRET.",
  );
};

const checkConnected = async (examination: Examination): Promise<Finding> => {
  const title = hostTitle((await examination.server.answer()).hostName);
  const { connected, account } = await readHost(examination);
  if (connected)
    return readyFinding(`Your account is connected${account === undefined ? '' : `: ${account} at ${title}`}.`);
  return actionFinding(
    `Your account is not connected to ${title}.`,
    `In the application, Settings: connect ${title} and approve read access to account and repositories.`,
  );
};

const checkAccepted = async ({ server }: Examination): Promise<Finding> => {
  const title = hostTitle((await server.answer()).hostName);
  const { body } = await (await server.client()).checkHostConnection();
  requireUsed('GET /api/settings/{host}/check', CHECK, body);
  const status: string = body.status;
  if (status === 'ok') return readyFinding(`${title} accepts the connection.`);
  if (status !== 'rejected') return uncheckedFinding(`The server says of the connection to ${title}: ${status}.`);
  return actionFinding(
    `${title} rejected the connection.`,
    `In the application, Settings: approve access to ${title} again.`,
  );
};

const server = { limitMs: 15_000 } as const;

/** The server's connection to the repository host, as its settings routes tell it. */
export const HOST_STEPS: readonly Step[] = [
  { id: 'host.configured', title: 'Set up on the server', after: ['server.key'], ...server, check: checkConfigured },
  { id: 'host.connected', title: 'Account connected', after: ['host.configured'], ...server, check: checkConnected },
  { id: 'host.check', title: 'Connection works', after: ['host.connected'], ...server, check: checkAccepted },
];

const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};

/** How a machine's clock is set by the network. */
const clockFix = (platform: NodeJS.Platform): string =>
  `Set it by the network: ${COMMANDS[platform] ?? 'sudo timedatectl set-ntp true'}. If it is right, tell the operator of the server.`;
