import type { ImportedIssue, IssueEvent } from '../../src/issue.js';
import type { Ports, Stores } from '../../src/ports.js';
import type { ConfiguredHost } from '../../src/repository/host.js';
import { freshImport, type LinkedRepository } from '../../src/repository/import-state.js';
import type { LinkSettings } from '../../src/repository/link.js';
import { importFromHost } from '../../src/use-cases/import/worker.js';
import { settingsOf } from '../repository/linked-repository-of.js';
import { forge } from './forge.js';
import { type HostModel, hostModel } from './host-model.js';
import { type ProjectScene, projectScene } from './scene.js';

export const LEASE = 60_000;
export const PAGE = 10_000;

/** The project Shop linked with acme/shop at a host that is a model. */
export interface ImportScene extends ProjectScene {
  readonly model: HostModel;
  readonly linkId: string;
  /** What imports stored of each issue since the scene began, by issue. */
  readonly events: ReadonlyMap<string, readonly IssueEvent[]>;
  /** How many issues imports have written. */
  readonly written: () => number;
  /** Runs at the end of each transaction of an import; what it throws undoes it. */
  readonly atCommit: { now: () => void };
  /** A worker's turn. */
  turn(leaseMs?: number): Promise<boolean>;
  /** Turns until nothing is due. */
  settle(): Promise<void>;
  linked(): Promise<LinkedRepository>;
}

const hostOf = (model: HostModel): ConfiguredHost => ({
  ...forge().host,
  name: 'github',
  title: 'GitHub',
  gives: { deployments: true, testRuns: ['checks', 'workflows'] },
  reader: model.answers,
});

/** Stores that show what imports write, once it is committed. */
const watched = (
  stores: Stores,
  seen: (changes: readonly ImportedIssue[]) => void,
  atCommit: { now: () => void },
): Stores => ({
  ...stores,
  transaction: async (work, by) => {
    const changes: ImportedIssue[] = [];
    const result = await stores.transaction(async (inside) => {
      const done = await work({
        ...inside,
        issues: {
          ...inside.issues,
          import: async (some) => {
            await inside.issues.import(some);
            changes.push(...some);
          },
        },
      });
      atCommit.now();
      return done;
    }, by);
    seen(changes);
    return result;
  },
});

/** Links a project with the connection of that person. */
export const linkingTo = async (
  { stores, newId, clock }: Pick<Ports, 'stores' | 'newId' | 'clock'>,
  model: HostModel,
  projectId: string,
  userId: string,
  settings: Partial<LinkSettings> = {},
): Promise<string> => {
  const { private: _, archived: __, ...repository } = model.repository;
  const link = { id: newId(), projectId, host: 'github', userId, repository, settings: settingsOf(settings) };
  const linked = { link: { ...link, linkedAt: clock(), linkedBy: 'Ada' }, state: freshImport(link.id, clock()) };
  await stores.repositoryLinks.put(linked);
  return link.id;
};

export const connectingTo = ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>, userId: string): Promise<void> =>
  stores.hostConnections.put({
    userId,
    host: 'github',
    account: { id: 'A1', name: 'ada' },
    grant: { sealed: `grant of ${userId} ${clock()}`, expiresAt: null },
    state: 'ok',
    pausedUntil: null,
    connectedAt: clock(),
    version: 1,
  });

export const importScene = async (settings: Partial<LinkSettings> = {}): Promise<ImportScene> => {
  const here = await projectScene();
  const model = hostModel();
  const { userId } = here.owner.principal;
  await connectingTo(here, userId);
  const linkId = await linkingTo(here, model, here.project.id, userId, settings);
  const events = new Map<string, readonly IssueEvent[]>();
  let written = 0;
  const atCommit: { now: () => void } = { now: () => undefined };
  const seen = (changes: readonly ImportedIssue[]): void => {
    written += changes.length;
    for (const { issue, events: added, wholeHistory } of changes)
      events.set(issue.id, [...(wholeHistory ? [] : (events.get(issue.id) ?? [])), ...added]);
  };
  const ports = { ...here, stores: watched(here.stores, seen, atCommit), repositoryHost: hostOf(model) };
  const turn = (leaseMs = LEASE) => importFromHost(ports, { leaseMs, pageMs: PAGE });
  return {
    ...ports,
    model,
    linkId,
    events,
    written: () => written,
    atCommit,
    turn,
    settle: async () => {
      while (await turn());
    },
    linked: async () => {
      const found = await here.stores.repositoryLinks.byId(linkId);
      if (found === undefined) throw new Error('The link is gone.');
      return found;
    },
  };
};

/** What is kept of the host's issue. */
export const issueNamed = async ({ stores, project }: ImportScene, id: string) =>
  (await stores.issues.byExternalIds(project.id, [`github:${id}`]))[0];

/** The release made of the host's milestone. */
export const releaseOfMilestone = async ({ stores, project }: ImportScene, id: string) =>
  (await stores.releases.byExternalIds(project.id, [`github:${id}`]))[0];
