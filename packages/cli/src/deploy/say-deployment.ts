import type { Deployment } from '@shipworthy/client';
import type { Connection } from '../connection/connect.js';
import type { Failure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { sayDetails } from '../output/show-failure.js';
import { visibleProjects } from '../project/find-project.js';
import type { Session } from '../session.js';
import type { Sent } from '../spool/deliver.js';

const LINK_MS = 2_000;

/** The page of the project's deployments; null where the key may not read its team, or nobody answers at once. */
const deploymentsPage = async ({ client, address }: Connection, projectId: string): Promise<string | null> => {
  try {
    const project = (await visibleProjects(client, { timeoutMs: LINK_MS })).find(({ id }) => id === projectId);
    return project ? `${address}/teams/${project.teamId}/projects/${project.id}/deployments` : null;
  } catch {
    // The report stands; only its link is missing.
    return null;
  }
};

const countedFor = ({ releases }: Deployment['attribution']): string => {
  const names = releases.filter(({ counts }) => counts).map(({ name }) => harmless(name));
  if (names.length > 0) return `It counts for ${names.join(', ')}.`;
  const reasons = new Set(releases.map(({ reason }) => reason).filter((reason) => reason !== undefined));
  return `It counts for no release yet (${releases.length === 0 ? 'no_release_window' : [...reasons].join(', ')}).`;
};

const isDeployment = (record: Sent['record']): record is Deployment => record !== null && 'environment' in record;

/** Says what the server has, with the link to it; answers the link. */
export const saySent = async (
  { screen }: Session,
  connection: Connection,
  { record, id }: Sent,
): Promise<string | null> => {
  if (!isDeployment(record)) {
    screen.say(`Deployment ${id} was reported before.`);
    return null;
  }
  const page = await deploymentsPage(connection, record.project_id);
  const what = `${harmless(record.app_name)} to ${harmless(record.environment)}`;
  screen.say(`Reported: deployment of ${what}, ${record.status}. ${countedFor(record.attribution)}`);
  screen.say(page ?? `Deployment ${id}`);
  return page;
};

/** Says loudly why something is not reported, without ending the command. */
export const sayNotReported = ({ screen }: Session, failure: Failure): void => {
  screen.warn(`Not reported: ${failure.message}`);
  sayDetails(screen, failure);
};
