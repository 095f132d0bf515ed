import type { Release } from '../release/release.js';
import { park } from '../release/release-transition.js';
import type { ChangePorts } from './change.js';
import { changeRelease, type InRelease, noteRelease, type ReleaseChange, storeRelease } from './in-release.js';

/** Parks the release inside a change that is under way. @throws DomainError `release-state` */
export const parkWithin = async (changing: ReleaseChange): Promise<Release> => {
  const next = await storeRelease(changing, park(changing.release));
  await noteRelease(changing, 'release.park', {});
  return next;
};

/** Puts the active release back to planned; its window goes on. Role member. @throws DomainError `not-found`, `forbidden`, `release-state` */
export const parkRelease =
  (ports: ChangePorts) =>
  (command: InRelease): Promise<Release> =>
    changeRelease(ports, command, 'member', parkWithin);
