import type { Caller, Client } from '@shipworthy/client';
import { parsedUrl } from '@shipworthy/client/contract';
import { connect } from '../../connection/connect.js';
import { NetworkFault } from '../../network/network-fault.js';
import { type NamedProxy, proxyFor } from '../../network/proxy.js';
import { readCaller } from '../../project/read-caller.js';
import { readSettings, type Settings } from '../../settings/settings.js';
import { Unmet } from '../finding.js';
import { once } from '../once.js';
import type { Surroundings } from '../surroundings.js';
import { readServer, type ServerAnswer } from './read-server.js';

/** What is known of the server, each thing found out once. */
export interface ServerFacts {
  readonly settings: () => Promise<Settings>;
  readonly address: () => Promise<URL>;
  readonly proxy: () => Promise<NamedProxy | undefined>;
  readonly answer: () => Promise<ServerAnswer>;
  readonly client: () => Promise<Client>;
  readonly caller: () => Promise<Caller>;
}

export const serverFacts = (where: Surroundings): ServerFacts => {
  const { world, screen, globals, callMs } = where;
  const settings = once(async () => {
    const found = await readSettings(world, globals);
    screen.hide(found.apiKey?.value ?? '');
    return found;
  });
  const address = once(async () => {
    const { apiUrl } = await settings();
    const url = apiUrl && parsedUrl(apiUrl.value);
    if (url === undefined) throw new Unmet('server.address');
    return url;
  });
  const answer = once(async () => readServer(world, await address(), AbortSignal.timeout(callMs)));
  const client = once(async () => {
    const { hostName } = await answer();
    const options = { timeoutMs: callMs, dryRun: undefined, repositoryHost: hostName ?? undefined };
    return connect(world, screen, await settings(), options).client;
  });
  return {
    settings,
    address,
    answer,
    client,
    proxy: once(async () => {
      const proxy = proxyFor(await address(), world.env);
      screen.hide(proxy?.url.password ?? '');
      return proxy;
    }),
    caller: once(async () => readCaller(await client())),
  };
};

/** The proxy, or none where what the environment names is no proxy: a step of its own says that. */
export const usableProxy = async (proxy: () => Promise<NamedProxy | undefined>): Promise<NamedProxy | undefined> => {
  try {
    return await proxy();
  } catch (error) {
    if (error instanceof NetworkFault) throw new Unmet('server.proxy');
    throw error;
  }
};
