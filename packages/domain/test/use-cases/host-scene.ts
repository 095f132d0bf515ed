import type { Actor } from '../../src/access/principal.js';
import type { HostConnection } from '../../src/repository/connection.js';
import type { LinkSettings } from '../../src/repository/link.js';
import { linkRepository } from '../../src/use-cases/repository-link.js';
import { ADA, type Forge, forge, SHOP } from './forge.js';
import { type ProjectScene, projectScene } from './scene.js';

/** The project Shop on a service that is set up for Forge. */
export interface HostScene extends ProjectScene {
  readonly forge: Forge;
  /** What is stored of the person's connection. */
  stored(of?: Actor): Promise<HostConnection | undefined>;
}

export const hostScene = async (): Promise<HostScene> => {
  const here = await projectScene();
  const there = forge();
  const stored = ({ principal }: Actor = here.owner) => here.stores.hostConnections.of(principal.userId, 'forge');
  return { ...here, repositoryHost: there.host, forge: there, stored };
};

/** Connects the person, with a grant that is good until then. */
export const connecting = async (
  here: HostScene,
  expiresAt: number | null = null,
  { principal }: Actor = here.owner,
): Promise<HostConnection> => {
  here.forge.expiresAt = expiresAt;
  const connection: HostConnection = {
    userId: principal.userId,
    host: 'forge',
    account: ADA,
    grant: here.forge.grant(),
    state: 'ok',
    pausedUntil: null,
    connectedAt: here.time.now,
    version: 1,
  };
  await here.stores.hostConnections.put(connection);
  here.forge.expiresAt = expiresAt === null ? null : expiresAt + 3_600_000;
  return connection;
};

export const SETTINGS: LinkSettings = {
  filter: { labels: [], pathPrefix: null },
  mapping: { bug: [], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] },
  milestones: 'all',
  deployments: false,
  testRuns: 'none',
};

export const linking = (here: HostScene, over: Partial<LinkSettings> = {}, by = here.owner, path = SHOP.path) =>
  linkRepository(here, { by, ...here.there, path, settings: { ...SETTINGS, ...over } });

/** The project, linked by its owner. */
export const linkedScene = async () => {
  const here = await hostScene();
  const connection = await connecting(here);
  return { ...here, connection, linked: await linking(here) };
};

/** The same service, with what is appended to the audit log noted. */
export const auditing = (here: HostScene) => {
  const noted: (readonly [string, object])[] = [];
  const transaction: typeof here.stores.transaction = (work, by) =>
    here.stores.transaction((inside) => {
      const append: typeof inside.audit.append = async ({ action, detail }) => void noted.push([action, detail]);
      return work({ ...inside, audit: { ...inside.audit, append } });
    }, by);
  return { watched: { ...here, stores: { ...here.stores, transaction } }, noted };
};
