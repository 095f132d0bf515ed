import {
  type Client,
  type DeploymentRequest as Deployment,
  isProblem,
  type TestRunRequest as TestRun,
} from '@shipworthy/client';
import { DeploymentRequest, type Schema, TestRunRequest } from '@shipworthy/client/contract';
import type { Connection } from '../connection.js';
import { pathOf, resolveProject, resolveRelease, type VisibleProject, visibleProjects } from '../project.js';
import type { CommandSettings } from '../settings.js';
import type { SendBatch } from './send-batches.js';
import type { ImportRecord } from './to-record.js';

/** What is imported. */
export type ImportKind = 'deployments' | 'test-runs';

/** Which field says when a record of a kind was, and the option that says it for rows without one. */
const TIMES = {
  deployments: { field: 'started_at', option: '--started-at' },
  'test-runs': { field: 'ran_at', option: '--ran-at' },
} as const;

/** Stands for the moment at which the server stores a record. */
const NOW = 'now';

/** What is imported, and what is said of rows that do not say it themselves. */
export interface Wanted {
  readonly kind: ImportKind;
  /** Of rows that do not say when they were: a moment, or NOW. Unless it is given such rows are refused. */
  readonly when: string | undefined;
  /** Of test runs: id or exact name of the release that rows belong to which name none. */
  readonly release: string | undefined;
}

/** Where records go. */
export interface Destination {
  readonly schema: Schema;
  /** The field a row must have to be of the past, and what to do about rows that have none. */
  readonly time: { readonly field: string; readonly fix: string };
  /** What a record has that does not say otherwise. */
  readonly defaults: ImportRecord;
  readonly send: SendBatch;
  /** Page that lists what went in; null where records go to several projects. */
  readonly page: string | null;
}

const pageOf = (address: string, project: { readonly id: string; readonly teamId: string }, kind: ImportKind) =>
  `${address}/teams/${project.teamId}/projects/${project.id}/${kind}`;

/** The project of rows that name none: the settings' one, else the only one. A key that may not read does not need it. */
const mainProject = async (client: Client, settings: CommandSettings): Promise<VisibleProject | undefined> => {
  try {
    if (settings.app !== undefined) return await resolveProject(client, settings);
    const [only, another] = await visibleProjects(client);
    return another === undefined ? only : undefined;
  } catch (error) {
    if (isProblem(error, 'missing-scope')) return undefined;
    throw error;
  }
};

/** The schema and the defaults of records, by what is said of rows without a time: the past must not be stored as now by mistake. */
const timed = (schema: Schema, defaults: ImportRecord, { kind, when }: Wanted): Omit<Destination, 'send' | 'page'> => {
  const { field, option } = TIMES[kind];
  const required = when === undefined ? [...(schema.required ?? []), field] : (schema.required ?? []);
  return {
    schema: { ...schema, required },
    defaults: when === undefined || when === NOW ? defaults : { ...defaults, [field]: when },
    time: { field, fix: `Give ${option} now, or a moment, if rows without ${field} are as they should be.` },
  };
};

const deployments = async (
  { client, address }: Connection,
  settings: CommandSettings,
  signal: AbortSignal,
  wanted: Wanted,
): Promise<Destination> => {
  const project = await mainProject(client, settings);
  const name = project?.name ?? settings.app?.value;
  return {
    ...timed(DeploymentRequest, name === undefined ? {} : { app_name: name }, wanted),
    // Each record was checked by the schema before.
    send: async (records) =>
      (await client.importDeployments({ body: records as unknown as readonly Deployment[], signal })).body?.data,
    page: project === undefined ? null : pageOf(address, project, 'deployments'),
  };
};

const testRuns = async (
  { client, address }: Connection,
  settings: CommandSettings,
  signal: AbortSignal,
  wanted: Wanted,
): Promise<Destination> => {
  const project = await resolveProject(client, settings);
  const release = wanted.release === undefined ? undefined : await resolveRelease(client, project, wanted.release);
  const path = pathOf(project);
  return {
    ...timed(TestRunRequest, release === undefined ? {} : { release_id: release.id }, wanted),
    send: async (records) =>
      (await client.importTestRuns({ path, body: records as unknown as readonly TestRun[], signal })).body?.data,
    page: pageOf(address, project, 'test-runs'),
  };
};

/** Where records of that kind go by the settings. Failure (exit 2) where that cannot be told. */
export const destinationOf = (
  connection: Connection,
  settings: CommandSettings,
  signal: AbortSignal,
  wanted: Wanted,
): Promise<Destination> =>
  (wanted.kind === 'deployments' ? deployments : testRuns)(connection, settings, signal, wanted);
