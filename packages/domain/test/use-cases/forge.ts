import { DomainError, notFound } from '../../src/errors.js';
import type {
  ConfiguredHost,
  Grant,
  HookNotice,
  HostAccess,
  HostMilestone,
  HostRepository,
} from '../../src/repository/host.js';

export const SHOP: HostRepository = {
  id: 'R_1',
  path: 'acme/shop',
  url: 'https://forge.example/acme/shop',
  private: true,
  archived: false,
  defaultBranch: 'main',
};
export const ADA = { id: '7', name: 'ada-at-forge' };

export const unreachable = (retryAt?: number): DomainError =>
  new DomainError('host-unavailable', 'Forge cannot be reached.', {
    cause: 'unreachable',
    ...(retryAt === undefined ? {} : { retryAt }),
  });

/** A repository host that hands out grants and knows which of them are good. */
export interface Forge {
  readonly host: ConfiguredHost;
  /** The grants that are good, by their sealed form. */
  readonly good: Set<string>;
  /** Every call that reached it, by name. */
  readonly calls: string[];
  /** Runs before every call but `begin`: fails, takes time, or makes another change in between. */
  beforeAnswer: (call: string) => Promise<void>;
  /** How long the grants are good that it hands out from now on; null: until they are revoked. */
  expiresAt: number | null;
  readonly repositories: HostRepository[];
  readonly milestones: HostMilestone[];
  notice: HookNotice;
  /** A new good grant. */
  grant(): Grant;
}

const refusal = () => new DomainError('host-rejected', 'Forge refused the grant.');

export const forge = (): Forge => {
  let made = 0;
  const answer = async (call: string): Promise<void> => {
    here.calls.push(call);
    await here.beforeAnswer(call);
  };
  const asked = async (call: string, { grant }: HostAccess): Promise<void> => {
    await answer(call);
    if (!here.good.has(grant.sealed)) throw refusal();
  };
  const unused = async () => {
    throw new Error('not asked for here');
  };
  const host: ConfiguredHost = {
    name: 'forge',
    title: 'Forge',
    gives: { deployments: false, testRuns: ['checks'] },
    authorization: {
      async begin({ redirectUrl }) {
        made += 1;
        const state = `state ${made}`;
        const url = `https://forge.example/authorize?to=${encodeURIComponent(redirectUrl)}&n=${made}`;
        return { url, state, sealedVerifier: `verifier ${made}` };
      },
      async redeem({ code }) {
        await answer('redeem');
        if (code !== 'good code') throw refusal();
        return { grant: here.grant(), account: ADA };
      },
      async adopt({ token }) {
        await answer('adopt');
        if (token !== 'good token') throw refusal();
        return { grant: here.grant(), account: ADA };
      },
      async refresh(access) {
        await asked('refresh', access);
        here.good.delete(access.grant.sealed);
        return here.grant();
      },
      async revoke(access) {
        await asked('revoke', access);
        here.good.delete(access.grant.sealed);
      },
    },
    reader: {
      async account(access) {
        await asked('account', access);
        return ADA;
      },
      mayWrite: async () => false,
      async repositories(access, { text }) {
        await asked('repositories', access);
        return { rows: here.repositories.filter(({ path }) => path.includes(text ?? '')), next: null };
      },
      async repository(access, name) {
        await asked('repository', access);
        const found = here.repositories.find((one) =>
          typeof name === 'string' ? one.path === name : one.id === name.id,
        );
        if (found === undefined) throw notFound('repository');
        return found;
      },
      async milestones(access) {
        await asked('milestones', access);
        return { unchanged: false, rows: here.milestones, next: 'more', validator: null, budget: null };
      },
      issues: unused,
      issuesById: unused,
      deployments: unused,
      deploymentsById: unused,
      testRuns: unused,
    },
    hooks: { events: ['issues'], secretOf: (id, project) => `secret of ${id} and ${project}`, read: () => here.notice },
  };
  const here: Forge = {
    host,
    good: new Set(),
    calls: [],
    beforeAnswer: async () => undefined,
    expiresAt: null,
    repositories: [SHOP],
    milestones: [],
    notice: { deliveryId: 'd1', repositoryId: SHOP.id, parts: ['issues'], suspectIssueIds: [] },
    grant() {
      made += 1;
      const sealed = `grant ${made}`;
      here.good.add(sealed);
      return { sealed, expiresAt: here.expiresAt };
    },
  };
  return here;
};
