import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkFault } from '../../network/network-fault.js';
import { openSocket, type Route, routeTo, secured } from '../../network/open-socket.js';
import { VERSION } from '../../version.js';
import type { Examination } from '../examination.js';
import { couldNotCheck, type Finding, needsAction, ready } from '../finding.js';
import { type Fixes, networkFinding } from '../network-finding.js';
import type { Step } from '../step.js';
import { clockFix } from './clock-fix.js';
import { usableProxy } from './server-facts.js';

const routeOf = async ({ server }: Examination): Promise<Route> =>
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
  if (isIP(host)) return ready(`${host} needs no name to be looked up.`);
  const found = await lookup(host, { all: true }).catch((error: unknown) => {
    throw networkFault(error, host);
  });
  return ready(`${host}${route.proxy ? ' (the proxy)' : ''} is ${found.map(({ address }) => address).join(', ')}.`);
});

const checkPort = withFixes(async (examination, signal) => {
  const route = await routeOf(examination);
  const socket = await openSocket(route, signal);
  socket.destroy();
  return ready(`${route.host}:${route.port} takes connections${route.proxy ? ' through the proxy' : ''}.`);
});

const checkCertificate = withFixes(async (examination, signal) => {
  const { protocol } = await examination.server.address();
  if (protocol === 'http:') return ready('Not needed on this machine.');
  const route = await routeOf(examination);
  const socket = await secured(await openSocket(route, signal), route, {}, signal);
  socket.destroy();
  return ready(`The certificate of ${route.host} is trusted and valid.`);
});

const somethingElse = (what: string): Finding =>
  needsAction(
    `Something else than a Shipworthy server answers: ${what}.`,
    'Check the address; behind a proxy or in a guest network sign in there first.',
  );

const numbersOf = (version: string): readonly number[] => version.split(/[.+-]/, 3).map((part) => Number(part) || 0);

/** How the server's version compares with this command's, in words. */
export const besides = (version: string | null, own = VERSION): string => {
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
  if (isOurs) return ready(`It answers as a Shipworthy server${besides(version)}.`);
  if (redirect !== null) return somethingElse(`it leads to ${redirect}`);
  if (status === 429 || status >= 500)
    return couldNotCheck(`The server answered ${status}.`, 'Try again; if it lasts, tell whoever runs the server.');
  return somethingElse(`${contentType === 'text/html' ? 'a page' : contentType || 'nothing with a type'} (${status})`);
});

const CLOCK_MOST_MS = 120_000;

const checkClock = async ({ server, world }: Examination): Promise<Finding> => {
  const { aheadMs } = await server.answer();
  if (aheadMs === null) return couldNotCheck('The server tells no time.');
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= CLOCK_MOST_MS)
    return ready("This machine's clock and the server's agree within two minutes.");
  return needsAction(
    `This machine's clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the server's.`,
    clockFix(world.platform),
  );
};

/** From the name to an answer of the server. */
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
