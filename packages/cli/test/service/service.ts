import { secrets } from '@shipworthy/adapters/crypto';
import { memoryStores } from '@shipworthy/adapters/memory';
import { type Client, createClient } from '@shipworthy/client';
import { createShipworthy } from '@shipworthy/server';

/** A real service in this process: its address, a person who is signed in, and what that person made. */
export interface Service {
  readonly url: string;
  readonly person: Client;
  readonly teamId: string;
  readonly projectId: string;
  readonly releaseId: string;
  /** For all scopes. */
  readonly key: string;
  /** A key with just these scopes. */
  readonly keyFor: (...scopes: readonly (typeof SCOPES)[number][]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const SETUP_TOKEN = 'setup-token-of-a-test';
const SCOPES = ['read', 'deployments:write', 'test-runs:write', 'axes:write'] as const;

/** Signs the first person in at a new service. */
export const signIn = async (url: string, setupToken = SETUP_TOKEN): Promise<Client> => {
  const { headers } = await createClient({ baseUrl: url, timeoutMs: 120_000 }).setUp({
    body: { setup_token: setupToken, email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' },
  });
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  return createClient({
    baseUrl: url,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: url } }),
  });
};

/** Team `Core`, project `checkout`, the active release `1.0`. */
export const furnish = async (person: Client) => {
  const { body: team } = await person.createTeam({ body: { name: 'Core' } });
  const { body: project } = await person.createProject({ path: { team_id: team.data.id }, body: { name: 'checkout' } });
  const path = { team_id: team.data.id, project_id: project.data.id };
  const { body: release } = await person.createRelease({ path, body: { name: '1.0' } });
  await person.activateRelease({ path: { ...path, release_id: release.data.id } });
  return { teamId: path.team_id, projectId: path.project_id, releaseId: release.data.id };
};

/** Starts a service on the memory stores with team `Core`, project `checkout` and the active release `1.0`. */
export const startService = async (): Promise<Service> => {
  const service = createShipworthy({
    stores: memoryStores(),
    secretKey: new Uint8Array(32).fill(7),
    setupToken: SETUP_TOKEN,
    requestsPerMinute: null,
    // Passwords of tests protect nothing, so hashing may be cheap.
    secrets: secrets({ cost: { ln: 1, r: 1, p: 1 } }),
  });
  const url = (await service.listen({ host: '127.0.0.1', port: 0 })).origin;
  const person = await signIn(url);
  const places = await furnish(person);
  const keyFor: Service['keyFor'] = async (...scopes) => {
    const { body } = await person.createApiKey({
      body: { name: scopes.join(' '), scopes: [...scopes], all_teams: true },
    });
    return body.data.key;
  };
  return { url, person, ...places, key: await keyFor(...SCOPES), keyFor, stop: () => service.close() };
};
