import type { Client } from '@shipworthy/client';
import type { Connection } from '../connection/connect.js';
import { findProject, type Project, pathOf } from '../project/find-project.js';
import { findRelease, type ReleaseName } from '../project/find-release.js';
import type { Session } from '../session.js';

/** The project and release a question is about, by default as in the command: the settings' project, its active release. */
export interface Place {
  readonly app?: string | undefined;
  readonly release?: string | undefined;
}

/** A project with what its operations take. */
export interface FoundProject {
  readonly client: Client;
  readonly address: string;
  readonly project: Project;
  readonly path: ReturnType<typeof pathOf>;
}

/** A release with what its operations take. */
export interface FoundRelease extends Omit<FoundProject, 'path'> {
  readonly release: ReleaseName;
  readonly path: ReturnType<typeof pathOf> & { readonly release_id: string };
}

/** Where tools ask: the connected server, and the places in it. Failures as in the command. */
export interface Desk {
  readonly connect: () => Promise<Connection>;
  readonly project: (place: Place) => Promise<FoundProject>;
  readonly release: (place: Place) => Promise<FoundRelease>;
  /** Ends when the client takes the question back. */
  readonly signal: AbortSignal;
}

/** A desk for one call of a tool. */
export const openDesk = (session: Session, signal: AbortSignal): Desk => {
  const project: Desk['project'] = async ({ app }) => {
    const { client, address } = await session.connect();
    const settings = await session.settings();
    const named = app === undefined ? settings.app : { value: app, source: { kind: 'flag', name: 'app' } as const };
    const found = await findProject(client, { app: named });
    return { client, address, project: found, path: pathOf(found) };
  };
  return {
    connect: session.connect,
    project,
    release: async (place) => {
      const at = await project(place);
      const release = await findRelease(at.client, at.project, place.release);
      return { ...at, release, path: { ...at.path, release_id: release.id } };
    },
    signal,
  };
};
