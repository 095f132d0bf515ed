import { expect } from 'chai';
import { asking } from './asking.js';
import { startGitHubServer } from './index.js';

describe('the local host', () => {
  it('is an Enterprise Server when its interface is under /api/v3', async () => {
    const server = await startGitHubServer({ apiPath: '/api/v3' });
    const { get, ask, token } = asking(server);
    expect(server.apiUrl).to.equal(`${server.url}/api/v3`);
    expect((await get('/user')).status).to.equal(200);
    const query = { method: 'POST', body: JSON.stringify({ query: '{ viewer { login } }' }) };
    expect((await ask(`${server.url}/api/graphql`, query)).body).to.deep.equal({ data: { viewer: { login: 'octo' } } });
    expect((await ask(`${server.url}/graphql`, query)).status).to.equal(404);
    expect((await ask(`${server.url}/user`)).status).to.equal(404);
    const seen = server.requests.all[0];
    expect(seen).to.include({ method: 'GET', path: '/api/v3/user', status: 200, conditional: false, token });
    expect(server.requests.count(({ status }) => status === 404)).to.equal(2);
    await server.close();
  });

  it('refuses anyone who has no valid token, in JSON', async () => {
    const server = await startGitHubServer();
    const answers = [
      await fetch(`${server.apiUrl}/user`),
      await fetch(`${server.apiUrl}/user`, { headers: { authorization: 'Bearer gho_none' } }),
      await fetch(`${server.apiUrl}/graphql`, { method: 'POST', body: '{}' }),
    ];
    const told = await Promise.all(
      answers.map(async (answer) => [answer.status, ((await answer.json()) as { readonly message: string }).message]),
    );
    expect(told).to.deep.equal([
      [401, 'Requires authentication'],
      [401, 'Bad credentials'],
      [401, 'Requires authentication'],
    ]);
    await server.close();
  });

  it('takes the port it is given, and leaves nothing listening', async () => {
    const first = await startGitHubServer();
    await first.close();
    const server = await startGitHubServer({ port: Number(new URL(first.url).port) });
    expect(server.url).to.equal(first.url);
    await server.close();
    expect(await fetch(server.url).catch((error: Error) => error.name)).to.equal('TypeError');
  });

  it('reads 10,000 issues and 2,000 deployments page by page', async () => {
    const server = await startGitHubServer();
    const repository = server.data.addRepository('acme/large');
    const milestone = server.data.addMilestone(repository, { title: '1.0' });
    const at = Date.UTC(2026, 0, 1);
    for (let i = 0; i < 10_000; i += 1) {
      server.data.addIssue(repository, { title: `i${i}`, milestone, labels: ['bug'], at: at + (i % 500) * 1000 });
    }
    for (let i = 0; i < 2_000; i += 1) server.data.addDeployment(repository, { sha: 'a'.repeat(40), at: at + i });
    const { query } = asking(server);
    const read = async (connection: string): Promise<number> => {
      const seen = new Set<string>();
      let after: string | null = null;
      do {
        const { body } = await query(
          `query($after: String) { repository(owner: "acme", name: "large") { ${connection} {
            nodes { id } pageInfo { hasNextPage endCursor } } } }`,
          { after },
        );
        const [page] = Object.values(body.data?.repository as Record<string, Page>);
        for (const { id } of page?.nodes ?? []) seen.add(id);
        after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      } while (after !== null);
      return seen.size;
    };
    expect(await read('issues(first: 100, after: $after, orderBy: { field: UPDATED_AT, direction: ASC })')).to.equal(
      10_000,
    );
    expect(
      await read('deployments(first: 100, after: $after, orderBy: { field: CREATED_AT, direction: DESC })'),
    ).to.equal(2_000);
    expect(server.requests.count()).to.equal(120);
    await server.close();
  });
});

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}
