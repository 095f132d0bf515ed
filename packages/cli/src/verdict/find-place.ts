import type { Connection } from '../connection/connect.js';
import { findProject } from '../project/find-project.js';
import { findRelease } from '../project/find-release.js';
import type { Settings } from '../settings/settings.js';
import { type Place, placeOf } from './scorecard.js';

/** The release that is meant: that id or exact name, else the active one of the settings' project. Failure (exit 2) where there is none. */
export const findPlace = async (
  { client, address }: Connection,
  settings: Pick<Settings, 'app'>,
  wanted: string | undefined,
): Promise<Place> => {
  const project = await findProject(client, settings);
  return placeOf(address, project, await findRelease(client, project, wanted));
};
