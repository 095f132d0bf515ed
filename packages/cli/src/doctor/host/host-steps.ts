import { FLAG, requireUsed, TEXT, uses } from '../../schema/used-members.js';
import type { Examination } from '../examination.js';
import { couldNotCheck, type Finding, needsAction, ready } from '../finding.js';
import type { Step } from '../step.js';

const TITLES: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab' };

/** How people call the server's repository host. */
export const hostTitle = (name: string | null): string => TITLES[name ?? ''] ?? name ?? 'the repository host';

const HOST = uses({ configured: FLAG, connected: FLAG, account: TEXT }, 'account');
const CHECK = uses({ status: TEXT });

const readHost = async ({ server }: Examination) => {
  const { body } = await (await server.client()).readHostConnection();
  requireUsed('GET /api/settings/{host}', HOST, body);
  return body;
};

const checkConfigured = async (examination: Examination): Promise<Finding> => {
  const { hostName } = await examination.server.answer();
  const { configured } = await readHost(examination);
  if (configured) return ready(`The server is set up to connect ${hostTitle(hostName)}.`);
  return needsAction(
    'The server is not set up to connect a repository host.',
    "The server's administrator has to enable it: GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET, or GITLAB_CLIENT_ID and GITLAB_CLIENT_SECRET.",
  );
};

const checkConnected = async (examination: Examination): Promise<Finding> => {
  const title = hostTitle((await examination.server.answer()).hostName);
  const { connected, account } = await readHost(examination);
  if (connected) return ready(`Your account is connected${account === undefined ? '' : `: ${account} at ${title}`}.`);
  return needsAction(
    `Your account is not connected to ${title}.`,
    `In the application, Settings: connect ${title} and approve read access to account and repositories.`,
  );
};

const checkAccepted = async ({ server }: Examination): Promise<Finding> => {
  const title = hostTitle((await server.answer()).hostName);
  const { body } = await (await server.client()).checkHostConnection();
  requireUsed('GET /api/settings/{host}/check', CHECK, body);
  const status: string = body.status;
  if (status === 'ok') return ready(`${title} accepts the connection.`);
  if (status !== 'rejected') return couldNotCheck(`The server says of the connection to ${title}: ${status}.`);
  return needsAction(
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
