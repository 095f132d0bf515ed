import type { Client } from '@shipworthy/client';
import { FORMATS } from '@shipworthy/client/contract';
import { EXIT } from '../exit-code.js';
import { Failure, usageFailure } from '../failure.js';
import { NAME, TEXT, usedRows, uses } from '../schema/used-members.js';
import { type Project, pathOf } from './find-project.js';

/** A release by name and id. */
export interface ReleaseName {
  readonly id: string;
  readonly name: string;
}

const ROUTE = 'GET P/releases';
const RELEASE = uses({ id: NAME, name: TEXT });

/** The release with that id or exact name, else the active one. Failure (exit 2) where there is none. */
export const findRelease = async (client: Client, project: Project, wanted?: string): Promise<ReleaseName> => {
  if (wanted === undefined) {
    if (project.activeRelease !== null) return project.activeRelease;
    throw new Failure(EXIT.usage, `${project.name} has no active release.`, {
      code: 'no-active-release',
      fixes: ['Activate one, or name one with --release.'],
    });
  }
  const named: ReleaseName[] = [];
  const rows = client.pages.listReleases({ path: pathOf(project), query: { limit: 200 } });
  for await (const { id, name } of usedRows(ROUTE, RELEASE, rows)) {
    if (id === wanted.toLowerCase() && FORMATS.uuid(wanted)) return { id, name };
    if (name === wanted) named.push({ id, name });
  }
  const [only, another] = named;
  if (only === undefined) throw usageFailure(`${project.name} has no release with the id or name ${wanted}.`);
  if (another === undefined) return only;
  throw usageFailure(`${named.length} releases of ${project.name} are named ${wanted}.`, 'Give the id instead.');
};
