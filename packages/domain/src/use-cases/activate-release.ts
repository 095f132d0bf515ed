import { DomainError } from '../errors.js';
import type { Release } from '../release/release.js';
import { activate } from '../release/release-transition.js';
import type { ChangePorts } from './change.js';
import { changeRelease, type InRelease, noteRelease, storeRelease } from './in-release.js';
import { parkWithin } from './park-release.js';
import { shipWithin } from './ship-release.js';
import { tellTransition } from './tell-transition.js';

export interface ActivateRelease extends InRelease {
  /** What becomes of the release that is active now; null: then it is refused. */
  readonly current: 'ship' | 'park' | null;
}

/**
 * Makes a release the active one, with what becomes of the present one in the same transaction. The active one stays as it is.
 * Role member. @throws DomainError `not-found`, `forbidden`, `release-state`, `release-active` naming the present one
 */
export const activateRelease =
  (ports: ChangePorts) =>
  (command: ActivateRelease): Promise<Release> =>
    changeRelease(ports, command, 'member', async (changing) => {
      const { stores, project, release, now } = changing;
      const next = activate(release, now);
      if (next === release) return release;
      const present = await stores.releases.activeOf(project.id);
      if (present !== undefined && command.current === null) throw alreadyActive(present);
      if (present !== undefined && command.current === 'ship')
        await shipWithin({ ...changing, release: present }, null);
      if (present !== undefined && command.current === 'park') await parkWithin({ ...changing, release: present });
      await storeRelease(changing, next);
      await noteRelease(changing, 'release.activate', {});
      await tellTransition(changing, 'release.activated');
      return next;
    });

const alreadyActive = ({ id, name }: Release): DomainError =>
  new DomainError('release-active', `The release ${name} is active; ship or park it first, or say which by current.`, {
    active: { id, name },
  });
