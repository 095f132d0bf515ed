import { parsedUrl } from '@shipworthy/client/contract';
import { Failure } from '../../failure.js';
import type { Settings } from '../../settings/settings.js';
import type { Examination } from '../examination.js';
import { type Finding, needsAction, ready, Unmet } from '../finding.js';
import type { Step } from '../step.js';

const leftAside = (lines: readonly string[]): string => lines.map((line) => ` Left aside: ${line}`).join('');

const checkSettings = async ({ server }: Examination): Promise<Finding> => {
  try {
    const { apiUrl, leftAside: aside } = await server.settings();
    if (apiUrl === undefined)
      return needsAction(
        `No server address is set.${leftAside(aside)}`,
        'Set SHIPWORTHY_API_URL, or api_url in .shipworthy.json.',
      );
    return ready(`The server address is ${apiUrl.value}.`, { source: apiUrl.source.name });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return needsAction(error.message, error.fixes[0] ?? 'Correct the file.');
  }
};

const readable = async ({ server }: Examination): Promise<Settings> => {
  try {
    return await server.settings();
  } catch (error) {
    throw error instanceof Failure ? new Unmet('server.settings') : error;
  }
};

const checkKeyFound = async (examination: Examination): Promise<Finding> => {
  const { apiKey, leftAside: aside, keyFix } = await readable(examination);
  if (apiKey === undefined && keyFix !== undefined)
    return needsAction(`No API key may be sent to this server.${leftAside(aside)}`, keyFix);
  if (apiKey === undefined)
    return needsAction(
      `No API key is set.${leftAside(aside)}`,
      'Create one in the application under Settings, API keys, and put it into SHIPWORTHY_API_KEY or into a file that SHIPWORTHY_API_KEY_FILE names.',
    );
  return ready(`There is an API key.${leftAside(aside)}`, { source: apiKey.source.name });
};

const EXPOSED = /^(.* holds a key and (?:is tracked by git|others can read it)): (.*)$/;

const checkSafety = async (examination: Examination): Promise<Finding> => {
  const { warnings } = await readable(examination);
  if (warnings.length === 0) return ready('No settings file gives a key away.');
  const parts = warnings.map((line) => EXPOSED.exec(line) ?? [line, line, 'Correct the file.']);
  return needsAction(
    parts.map(([, what = '']) => (what.endsWith('.') ? what : `${what}.`)).join(' '),
    parts.map(([, , fix]) => fix).join(' '),
  );
};

const checkAddress = async ({ server }: Examination): Promise<Finding> => {
  const { apiUrl, allowInsecureHttp } = await server.settings();
  const { name } = apiUrl?.source ?? { name: 'the settings' };
  const correct = `Write ${name} like https://ship.example.com.`;
  const url = parsedUrl(apiUrl?.value ?? '');
  if (url === undefined) return needsAction('The server address is no address.', correct);
  const { protocol, hostname, username, password, search, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return needsAction('The server address is not https.', correct);
  if (username || password || search || hash)
    return needsAction('The server address holds more than scheme, host and path.', correct);
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLoopback && allowInsecureHttp)
    return ready(`Plain http to ${hostname}, as allow_insecure_http in your settings file says.`);
  if (protocol === 'http:' && !isLoopback)
    return needsAction(
      `Over plain http everybody on the way to ${hostname} could read the key.`,
      `Use https in ${name}, or set "allow_insecure_http": true in your own settings file.`,
    );
  return ready(protocol === 'https:' ? 'It is an https address.' : 'It is an address of this machine.');
};

const checkProxy = async ({ server, world }: Examination): Promise<Finding> => {
  const proxy = await server.proxy();
  if (proxy !== undefined)
    return ready(`The way to the server leads through the proxy ${proxy.url.host}.`, { source: proxy.name });
  const exempt = world.env.no_proxy || world.env.NO_PROXY;
  return ready(exempt ? 'No proxy is used for the server; NO_PROXY is set.' : 'No proxy is used for the server.');
};

const quick = { limitMs: 10_000 } as const;

export const SETTINGS_STEPS: readonly Step[] = [
  { id: 'server.settings', title: 'Server address found', after: [], ...quick, check: checkSettings },
  { id: 'server.key_found', title: 'API key found', after: [], ...quick, check: checkKeyFound },
  { id: 'server.safety', title: 'API key kept safely', after: [], ...quick, check: checkSafety },
  { id: 'server.address', title: 'Server address is one', after: ['server.settings'], ...quick, check: checkAddress },
  { id: 'server.proxy', title: 'Proxy', after: ['server.address'], ...quick, check: checkProxy },
];
