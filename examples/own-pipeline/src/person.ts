import { type Client, createClient } from '@shipworthy/client';

/** A client that sends a session, as the browser of a signed-in person does. */
const signedIn = (baseUrl: string, cookie: string): Client =>
  createClient({
    baseUrl,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: baseUrl } }),
  });

/** Hashing a password is slow on purpose: on a busy machine it takes longer than other requests. */
const PATIENCE_MS = 120_000;

/** Sets a new server up with its first administrator; returns a client that is signed in as that person. */
export const setUp = async (baseUrl: string, setupToken: string): Promise<Client> => {
  const { headers } = await createClient({ baseUrl, timeoutMs: PATIENCE_MS }).setUp({
    body: { setup_token: setupToken, email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' },
  });
  const cookies = headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return signedIn(baseUrl, cookies.join('; '));
};
