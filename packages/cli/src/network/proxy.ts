import { parsedUrl } from '@shipworthy/client/contract';
import type { World } from '../world.js';
import { NetworkFault } from './network-fault.js';

/** A proxy and the variable that names it. */
export interface NamedProxy {
  readonly url: URL;
  readonly name: string;
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'http:' ? '80' : '443');

/** Whether NO_PROXY keeps a proxy from being used for the address: `*`, a name with all below it, or `name:port`. */
export const isExempt = (url: URL, noProxy: string): boolean =>
  noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? [];
      if (port !== undefined && port !== portOf(url)) return false;
      const host = url.hostname.toLowerCase();
      return host === name || host.endsWith(`.${name}`);
    });

/** The first of the variables that is set. */
const firstSet = (env: World['env'], names: readonly string[]) => {
  const name = names.find((one) => env[one]);
  return name === undefined ? undefined : { name, value: env[name] ?? '' };
};

/** The proxy at the address somebody wrote. NetworkFault when it is none. */
export const readProxy = (name: string, value: string): NamedProxy => {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = parsedUrl(text);
  if (url === undefined) throw new NetworkFault('proxy', `${name} does not hold the address of a proxy.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetworkFault('proxy', `${name} names a proxy of another kind than http (${url.protocol}).`);
  return { url, name };
};

/** The proxy the environment names for the address; undefined: none. NetworkFault when what it names is no proxy. */
export const proxyFor = (
  url: URL,
  env: World['env'],
  names: readonly string[] = url.protocol === 'http:'
    ? ['http_proxy', 'HTTP_PROXY']
    : ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'],
): NamedProxy | undefined => {
  const found = firstSet(env, names);
  if (found === undefined || isExempt(url, firstSet(env, ['no_proxy', 'NO_PROXY'])?.value ?? '')) return undefined;
  return readProxy(found.name, found.value);
};
