import { type Client, createClient } from '@shipworthy/client';
import { BASE_PATH } from '../navigation/places.js';

/** The base address of this server, for this page and for pipelines. */
export const SERVICE_ADDRESS = location.origin + BASE_PATH;

/** The typed client of the server this page came from. The browser's session cookie identifies the person. */
export const client: Client = createClient({ baseUrl: SERVICE_ADDRESS, timeoutMs: 15_000, retries: 2 });

let hostClient: Client = client;

/** Returns the client for the settings of the repository host, whose name is part of their paths. */
export const atHost = (): Client => hostClient;

/** Sets the name of the repository host that this server is set up with. */
export const setRepositoryHost = (name: string): void => {
  hostClient = createClient({ baseUrl: SERVICE_ADDRESS, timeoutMs: 15_000, retries: 2, repositoryHost: name });
};
