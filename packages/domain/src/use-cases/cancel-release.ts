import type { Release } from '../release/release.js';
import { cancel } from '../release/release-transition.js';
import type { ChangePorts } from './change.js';
import { changeRelease, type InRelease, noteRelease, storeRelease } from './in-release.js';
import { tellTransition } from './tell-transition.js';

/** Gives a release up; ends its window. Role member. @throws DomainError `not-found`, `forbidden`, `release-state` */
export const cancelRelease =
  (ports: ChangePorts) =>
  (command: InRelease): Promise<Release> =>
    changeRelease(ports, command, 'member', async (changing) => {
      const next = await storeRelease(changing, cancel(changing.release, changing.now));
      await noteRelease(changing, 'release.cancel', {});
      await tellTransition(changing, 'release.canceled');
      return next;
    });
