import { createHmac, randomUUID } from 'node:crypto';
import { DomainError, invalid } from '@shipworthy/domain';
import type { ConfiguredHost, HostAccount, HostMilestone, HostRepository } from '@shipworthy/domain/ports';

/** A repository host inside the process of the test: it does as it is told. */
export interface TestHost {
  readonly host: ConfiguredHost;
  /** What every call fails with from now on; null: nothing. */
  fail(error: DomainError | null): void;
  /** What it holds; tests may change it. */
  readonly repositories: HostRepository[];
  readonly milestones: HostMilestone[];
  /** Whose grants were ended at the host. */
  readonly revoked: string[];
  /** A delivery of that repository for that project as the host sends it; of the same id: a repetition. */
  delivery(
    repositoryId: string,
    projectId: string,
    id?: string,
  ): {
    readonly rawBody: string;
    readonly query: { readonly project_id: string };
    readonly headers: Record<string, string>;
  };
}

export const SHOP: HostRepository = {
  id: 'R_1',
  path: 'acme/shop',
  url: 'https://forge.example/acme/shop',
  private: true,
  archived: false,
  defaultBranch: 'main',
};
export const PAY: HostRepository = { ...SHOP, id: 'R_2', path: 'acme/pay', url: 'https://forge.example/acme/pay' };
export const MILESTONE: HostMilestone = {
  id: 'M_1',
  number: 12,
  title: '2.5',
  state: 'open',
  dueAt: null,
  url: 'https://forge.example/acme/shop/milestone/12',
};

/** The account everybody has there. */
export const ACCOUNT: HostAccount = { id: 'U_1', name: 'ada-at-forge' };
/** What the host hands out for an approval. */
/** The token that the host knows as one of the account's own. */
export const OWN_TOKEN = 'forge_own_token_of_ada';
export const CODE = 'a-good-code';

const secretOf = (repositoryId: string, projectId: string): string => `secret of ${repositoryId} and ${projectId}`;
const signatureOf = (repositoryId: string, projectId: string, body: Uint8Array): string =>
  createHmac('sha256', secretOf(repositoryId, projectId)).update(body).digest('hex');

const parsed = (body: Uint8Array): { readonly repository?: string } | null => {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw invalid([{ pointer: '', code: 'delivery', message: 'The body is no delivery' }]);
  }
};

const readDelivery: ConfiguredHost['hooks']['read'] = ({ headers, body, projectId }) => {
  const repository = parsed(body)?.repository ?? '';
  if (headers['x-forge-signature'] !== signatureOf(repository, projectId ?? '', body))
    throw new DomainError('wrong-signature', 'The delivery was not signed with the secret of its repository.');
  const deliveryId = headers['x-forge-delivery'] ?? '';
  return { deliveryId, repositoryId: repository, parts: ['issues'], suspectIssueIds: [] };
};

/** Makes one; it is named in paths as given. */
export const createTestHost = (name = 'github'): TestHost => {
  let failure: DomainError | null = null;
  const repositories = [PAY, SHOP];
  const milestones = [MILESTONE];
  const revoked: string[] = [];
  const answer = async <Value>(value: Value): Promise<Value> => {
    if (failure !== null) throw failure;
    return value;
  };
  const nothing = () => answer({ unchanged: true, budget: null } as const);
  const found = (name: string | Pick<HostRepository, 'id'>): HostRepository => {
    const repository = repositories.find((one) => (typeof name === 'string' ? one.path === name : one.id === name.id));
    if (repository === undefined) throw new DomainError('not-found', 'There is no such repository.');
    return repository;
  };
  const rowsOf = <Row>(rows: readonly Row[]) =>
    answer({ unchanged: false, rows, next: null, validator: null, budget: null } as const);
  const host: ConfiguredHost = {
    name,
    title: 'Forge',
    gives: { deployments: true, testRuns: ['checks'] },
    authorization: {
      async begin({ redirectUrl }) {
        const state = randomUUID();
        const query = new URLSearchParams({ state, redirect_uri: redirectUrl });
        return { url: `https://forge.example/authorize?${query}`, state, sealedVerifier: 'sealed' };
      },
      async redeem({ code }) {
        const redeemed = await answer({ grant: { sealed: 'sealed', expiresAt: null }, account: ACCOUNT });
        if (code !== CODE) throw new DomainError('host-rejected', 'Forge refused the code.');
        return redeemed;
      },
      async adopt({ token }) {
        const adopted = await answer({ grant: { sealed: 'sealed', expiresAt: null }, account: ACCOUNT });
        if (token !== OWN_TOKEN) throw new DomainError('host-rejected', 'Forge refused the token.');
        return adopted;
      },
      refresh: ({ grant }) => answer(grant),
      revoke: async ({ ownerId }) => {
        await answer(null);
        revoked.push(ownerId);
      },
    },
    reader: {
      account: () => answer(ACCOUNT),
      // The token of the tests is as wide as GitHub's classic ones.
      mayWrite: () => answer(true),
      async repositories(_, { text, limit, page }) {
        const rows = await answer(repositories.filter(({ path }) => path.includes(text ?? '')));
        const from = Number(page ?? 0);
        const next = from + limit < rows.length ? String(from + limit) : null;
        return { rows: rows.slice(from, from + limit), next };
      },
      repository: async (_, name) => answer(found(name)),
      milestones: () => rowsOf(milestones),
      issues: nothing,
      issuesById: () => answer({ rows: [], budget: null }),
      deployments: nothing,
      deploymentsById: () => answer({ rows: [], budget: null }),
      testRuns: nothing,
    },
    hooks: { events: ['issues', 'milestone'], secretOf, read: readDelivery },
  };
  return {
    host,
    fail: (error) => {
      failure = error;
    },
    repositories,
    milestones,
    revoked,
    delivery(repositoryId, projectId, id = randomUUID()) {
      const rawBody = JSON.stringify({ repository: repositoryId });
      const signature = signatureOf(repositoryId, projectId, Buffer.from(rawBody));
      return {
        rawBody,
        query: { project_id: projectId },
        headers: { 'x-forge-signature': signature, 'x-forge-delivery': id },
      };
    },
  };
};
