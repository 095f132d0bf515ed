import type { Release } from '../release/release.js';
import { edit, type ReleaseEdit } from '../release/release-edit.js';
import { requireStarted } from '../release/release-transition.js';
import { type ChangePorts, requireVersion } from './change.js';
import { changeRelease, type InRelease, noteRelease, storeRelease } from './in-release.js';

export interface EditRelease extends InRelease {
  readonly edit: ReleaseEdit;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/** Edits name, target and start of a release. Role member. @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `release-closed`, `release-state`, `invalid`, `name-taken` */
export const editRelease =
  (ports: ChangePorts) =>
  (command: EditRelease): Promise<Release> =>
    changeRelease(ports, command, 'member', async (changing) => {
      requireVersion(changing.release, command.version);
      const { release, now } = changing;
      const edited = edit(release, command.edit);
      if (edited.state === 'active' && edited.startsAt !== release.startsAt) requireStarted(edited, 'active', now);
      const next = await storeRelease(changing, edited);
      await noteRelease(changing, 'release.edit', { ...command.edit });
      return next;
    });
