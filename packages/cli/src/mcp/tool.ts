import type { Client } from '@shipworthy/client';
import { type FromSchema, operations, type Schema } from '@shipworthy/client/contract';
import type { Connection } from '../connection.js';
import { pathOf, type ReleaseRef, resolveProject, resolveRelease, type VisibleProject } from '../project.js';
import type { CommandSession } from '../session.js';

/** A tool's answer: text for readers, and the same as data of the API. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** `reads` changes nothing, `records` stores one more record each time, `settles` has no further effect when repeated. */
export type ToolEffect = 'reads' | 'records' | 'settles';

/** One question an agent can ask, or one report it can make. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly input: Schema;
  /** `args` has passed `input`. */
  readonly run: (desk: Desk, args: unknown) => Promise<ToolAnswer>;
}

interface ToolParts<S extends Schema> extends Omit<Tool, 'input' | 'run'> {
  readonly input: S;
  readonly run: (desk: Desk, args: FromSchema<S>) => Promise<ToolAnswer>;
}

/** A tool whose arguments have the type its schema describes. */
export const tool = <const S extends Schema>(parts: ToolParts<S>): Tool => ({
  ...parts,
  // The schema has judged them before.
  run: (desk, args) => parts.run(desk, args as FromSchema<S>),
});

/** The project and release a question is about, by default as in the command: the settings' project, its active release. */
export interface WantedPlace {
  readonly app?: string | undefined;
  readonly release?: string | undefined;
}

/** A project with what its operations take. */
export interface FoundProject {
  readonly client: Client;
  readonly address: string;
  readonly project: VisibleProject;
  readonly path: ReturnType<typeof pathOf>;
}

/** A release with what its operations take. */
export interface FoundRelease extends Omit<FoundProject, 'path'> {
  readonly release: ReleaseRef;
  readonly path: ReturnType<typeof pathOf> & { readonly release_id: string };
}

/** Where tools ask: the connected server, and the places in it. Failures as in the command. */
export interface Desk {
  readonly connect: () => Promise<Connection>;
  readonly project: (place: WantedPlace) => Promise<FoundProject>;
  readonly release: (place: WantedPlace) => Promise<FoundRelease>;
  /** Ends when the client takes the question back. */
  readonly signal: AbortSignal;
}

/** A desk for one call of a tool. */
export const openDesk = (session: CommandSession, signal: AbortSignal): Desk => {
  const project: Desk['project'] = async ({ app }) => {
    const { client, address } = await session.connect();
    const settings = await session.settings();
    const named = app === undefined ? settings.app : { value: app, source: { kind: 'flag', name: 'app' } as const };
    const found = await resolveProject(client, { app: named });
    return { client, address, project: found, path: pathOf(found) };
  };
  return {
    connect: session.connect,
    project,
    release: async (place) => {
      const at = await project(place);
      const release = await resolveRelease(at.client, at.project, place.release);
      return { ...at, release, path: { ...at.path, release_id: release.id } };
    },
    signal,
  };
};

const { limit, cursor } = operations.listAxisRows.query.properties;

const NAME = { type: 'string', minLength: 1, maxLength: 200 } as const;

/** Which project a question is about. */
export const APP = {
  app: {
    ...NAME,
    description: 'Name of the project; unless given, the one the settings name, else the only one in sight.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** Which project and release a question is about. */
export const PLACE_ARGUMENTS = {
  ...APP,
  release: {
    ...NAME,
    description: "Id or exact name of the release; unless given, the project's active one.",
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** One page of a list. */
export const PAGE = {
  limit: { ...limit, default: 20, description: 'Rows in the answer; 20 unless given.' },
  cursor: { ...cursor, description: 'The `next_cursor` of the answer before.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** The query of a page. */
export const pageQueryOf = ({
  limit: rows = 20,
  cursor: after,
}: {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}) => ({ limit: rows, ...(after === undefined ? {} : { cursor: after }) });
