import { ProblemError } from '@shipworthy/client';
import { isCi } from '../../settings/settings.js';
import type { Examination } from '../examination.js';
import { type Finding, needsAction, ready } from '../finding.js';
import type { Step } from '../step.js';

const checkKey = async ({ server }: Examination): Promise<Finding> => {
  const { apiKey } = await server.settings();
  try {
    const { name } = await server.caller();
    return ready(`The server accepts the key “${name}”.`, { source: apiKey?.source.name });
  } catch (error) {
    // Only the server's own refusal says anything about the key.
    if (!(error instanceof ProblemError) || error.status !== 401 || error.type !== 'unauthenticated') throw error;
    return needsAction(
      `The server rejected the key from ${apiKey?.source.name}: ${error.detail || error.title}`,
      'Create a key in the application under Settings, API keys, and put it there.',
    );
  }
};

const REPORTING = ['deployments:write', 'test-runs:write'] as const;

const checkScopes = async ({ server, world }: Examination): Promise<Finding> => {
  const { scopes } = await server.caller();
  const fix = (wanted: string) => `Create a key with ${wanted} under Settings, API keys.`;
  if (!scopes.includes('read')) return needsAction('The key may not read.', fix('the scope read'));
  const missing = REPORTING.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return ready('The key may read and report.');
  const what = `The key may read; for reporting it lacks ${missing.join(' and ')}`;
  // A laptop needs no more than reading; the pipeline that reports has a key of its own.
  return isCi(world) ? needsAction(`${what}.`, fix(missing.join(' and '))) : ready(`${what}, which pipelines need.`);
};

const DAY_MS = 86_400_000;
/** As long before its end as the server says so. */
const SOON_MS = 14 * DAY_MS;

const checkExpiry = async ({ server, world }: Examination): Promise<Finding> => {
  const { expires_at } = await server.caller();
  const left = Date.parse(expires_at) - world.now();
  const days = Math.floor(left / DAY_MS);
  const day = expires_at.slice(0, 10);
  if (left > SOON_MS) return ready(`The key is good until ${day}.`);
  return needsAction(
    `The key ends on ${day}, in ${Math.max(days, 0)} ${days === 1 ? 'day' : 'days'}.`,
    'Create its successor under Settings, API keys, and put it in its place.',
  );
};

/** What the key is good for. */
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
