import { secrets } from '@shipworthy/adapters/crypto';
import { githubHost } from '@shipworthy/adapters/github';
import { memoryStores } from '@shipworthy/adapters/memory';
import { type GitHubServer, startGitHubServer } from '@shipworthy/adapters/test-host';
import type { Client } from '@shipworthy/client';
import { createShipworthy } from '@shipworthy/server';
import { furnish, signIn } from '../../service/service.js';

/** A real service that is set up with a host which behaves like GitHub; Ada is connected, `checkout` linked to acme/shop. */
export interface LinkedService {
  readonly url: string;
  readonly person: Client;
  readonly forge: GitHubServer;
  readonly path: { readonly team_id: string; readonly project_id: string };
  readonly key: (...scopes: readonly ('read' | 'deployments:write' | 'test-runs:write')[]) => Promise<string>;
  connect(): Promise<void>;
  link(): Promise<void>;
  stop(): Promise<void>;
}

const SETUP_TOKEN = 'setup-token-of-a-test';

/** Goes the way of a browser to the host's page of approval and back. */
const approve = async (person: Client): Promise<void> => {
  const { body } = await person.connectHost({});
  const sentBack = await fetch(body.data.url, { redirect: 'manual' });
  const { searchParams } = new URL(sentBack.headers.get('location') ?? '');
  const [state, code] = [searchParams.get('state') ?? '', searchParams.get('code') ?? ''];
  await person.finishHostConnection({ query: { state, code } });
};

/** `gitUrl` is where the linked repository is said to be. */
export const startLinkedService = async (gitUrl: string): Promise<LinkedService> => {
  const redirectUrls: string[] = [];
  const forge = await startGitHubServer({ app: { redirectUrls } });
  forge.approveAs('ada');
  forge.data.addRepository('acme/shop', { at: Date.now() - 1_000_000 });
  const secretKey = new Uint8Array(32).fill(7);
  const { clientId, clientSecret } = forge.app;
  const host = githubHost({
    clientId,
    clientSecret,
    apiUrl: new URL(forge.apiUrl),
    webUrl: new URL(forge.webUrl),
    secretKey,
  });
  const service = createShipworthy({
    stores: memoryStores(),
    secretKey,
    setupToken: SETUP_TOKEN,
    requestsPerMinute: null,
    // Passwords of tests protect nothing, so hashing may be cheap.
    secrets: secrets({ cost: { ln: 1, r: 1, p: 1 } }),
    repositoryHost: {
      ...host,
      reader: {
        ...host.reader,
        // Its pages are elsewhere than its interface, as at the real host.
        repository: async (access, name) => {
          const found = await host.reader.repository(access, name);
          return { ...found, url: `${gitUrl}/${found.path}` };
        },
      },
    },
  });
  const url = (await service.listen({ host: '127.0.0.1', port: 0 })).origin;
  redirectUrls.push(`${url}/api/settings/github/callback`);
  const person = await signIn(url, SETUP_TOKEN);
  const { teamId, projectId } = await furnish(person);
  const path = { team_id: teamId, project_id: projectId };
  return {
    url,
    person,
    forge,
    path,
    key: async (...scopes) =>
      (await person.createApiKey({ body: { name: 'laptop', scopes: [...scopes], all_teams: true } })).body.data.key,
    connect: () => approve(person),
    link: async () => {
      await person.linkRepository({ path, body: { repository: 'acme/shop' } });
    },
    stop: async () => {
      await service.close();
      await forge.close();
    },
  };
};
