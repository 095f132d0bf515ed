import {
  type Client,
  type DeploymentRequest as Deployment,
  isProblem,
  type TestRunRequest as TestRun,
} from '@shipworthy/client';
import { DeploymentRequest, type Schema, TestRunRequest } from '@shipworthy/client/contract';
import type { Connection } from '../connection/connect.js';
import { findProject, type Project, pathOf, visibleProjects } from '../project/find-project.js';
import { findRelease } from '../project/find-release.js';
import type { Settings } from '../settings/settings.js';
import type { SendBatch } from './send-batches.js';
import type { ImportRecord } from './to-record.js';

/** What is imported. */
export type ImportKind = 'deployments' | 'test-runs';

/** Where records go. */
export interface Destination {
  readonly schema: Schema;
  /** What a record has that does not say otherwise. */
  readonly defaults: ImportRecord;
  readonly send: SendBatch;
  /** Page that lists what went in; null where records go to several projects. */
  readonly page: string | null;
}

const pageOf = (address: string, project: { readonly id: string; readonly teamId: string }, kind: ImportKind) =>
  `${address}/teams/${project.teamId}/projects/${project.id}/${kind}`;

/** The project of rows that name none: the settings' one, else the only one. A key that may not read does not need it. */
const mainProject = async (client: Client, settings: Settings): Promise<Project | undefined> => {
  try {
    if (settings.app !== undefined) return await findProject(client, settings);
    const [only, another] = await visibleProjects(client);
    return another === undefined ? only : undefined;
  } catch (error) {
    if (isProblem(error, 'missing-scope')) return undefined;
    throw error;
  }
};

const deployments = async (connection: Connection, settings: Settings, signal: AbortSignal): Promise<Destination> => {
  const { client, address } = connection;
  const project = await mainProject(client, settings);
  const name = project?.name ?? settings.app?.value;
  return {
    schema: DeploymentRequest,
    defaults: name === undefined ? {} : { app_name: name },
    // Each record was checked by the schema before.
    send: async (records) =>
      (await client.importDeployments({ body: records as unknown as readonly Deployment[], signal })).body.data,
    page: project === undefined ? null : pageOf(address, project, 'deployments'),
  };
};

const testRuns = async (
  { client, address }: Connection,
  settings: Settings,
  signal: AbortSignal,
  wantedRelease: string | undefined,
): Promise<Destination> => {
  const project = await findProject(client, settings);
  const release = wantedRelease === undefined ? undefined : await findRelease(client, project, wantedRelease);
  const path = pathOf(project);
  return {
    schema: TestRunRequest,
    defaults: release === undefined ? {} : { release_id: release.id },
    send: async (records) =>
      (await client.importTestRuns({ path, body: records as unknown as readonly TestRun[], signal })).body.data,
    page: pageOf(address, project, 'test-runs'),
  };
};

/** Where records of that kind go by the settings. Failure (exit 2) where that cannot be told. */
export const destinationOf = (
  kind: ImportKind,
  connection: Connection,
  settings: Settings,
  signal: AbortSignal,
  release: string | undefined,
): Promise<Destination> =>
  kind === 'deployments' ? deployments(connection, settings, signal) : testRuns(connection, settings, signal, release);
