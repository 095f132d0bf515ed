import { type Client, createClient } from '@shipworthy/client';
import { BASE_PATH } from '../navigation/places.js';

/** Where this server is reached, by this page as by pipelines. */
export const SERVICE_ADDRESS = location.origin + BASE_PATH;

/** The typed client of the server this page came from; the browser's session speaks for the person. */
export const client: Client = createClient({ baseUrl: SERVICE_ADDRESS, timeoutMs: 15_000, retries: 2 });

let hostClient: Client = client;

/** The client for the settings of the repository host, whose name is part of their paths. */
export const atHost = (): Client => hostClient;

/** Tells the name of the repository host that this server is set up with. */
export const setRepositoryHost = (name: string): void => {
  hostClient = createClient({ baseUrl: SERVICE_ADDRESS, timeoutMs: 15_000, retries: 2, repositoryHost: name });
};
