import { type Client, createClient } from '@shipworthy/client';

/** The typed client of the server this page came from; the browser's session speaks for the person. */
export const client: Client = createClient({ baseUrl: location.origin, timeoutMs: 15_000, retries: 2 });

let hostClient: Client = client;

/** The client for the settings of the repository host, whose name stands in their paths. */
export const atHost = (): Client => hostClient;

/** Tells the name of the repository host that this server is set up with. */
export const setRepositoryHost = (name: string): void => {
  hostClient = createClient({ baseUrl: location.origin, timeoutMs: 15_000, retries: 2, repositoryHost: name });
};
