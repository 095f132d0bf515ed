import { type Client, createClient } from '@shipworthy/client';

/** A person signed in at a server in its own process; the session is valid at every server with the same data. */
export interface PersonThere {
  readonly cookie: string;
  at(url: string): Client;
}

const clientWith = (url: string, cookie: string): Client =>
  createClient({
    baseUrl: url,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: url } }),
  });

/** Sets up the server's first administrator. */
export const setUpAt = async (url: string, setupToken: string): Promise<PersonThere> => {
  const ada = { email: 'ada@acme.dev', name: 'Ada', password: 'a long enough phrase' };
  const { headers } = await createClient({ baseUrl: url, timeoutMs: 120_000 }).setUp({
    body: { setup_token: setupToken, ...ada },
  });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, at: (other) => clientWith(other, cookie) };
};

/** A team with a project that has an active release, and a key that reports to it. */
export const projectAt = async (client: Client, name: string): Promise<{ readonly key: string }> => {
  const { body: team } = await client.createTeam({ body: { name: 'Payments' } });
  const inTeam = { team_id: team.data.id };
  const { body: project } = await client.createProject({ path: inTeam, body: { name } });
  const inProject = { ...inTeam, project_id: project.data.id };
  const { body: release } = await client.createRelease({ path: inProject, body: { name: '1.0' } });
  await client.activateRelease({ path: { ...inProject, release_id: release.data.id } });
  const { body } = await client.createApiKey({
    body: { name: 'ci', scopes: ['deployments:write'], ...inTeam },
  });
  return { key: body.data.key };
};
