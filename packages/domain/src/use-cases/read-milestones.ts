import { externalName } from '../repository/external-names.js';
import type { HostMilestone } from '../repository/host-records.js';
import { HOST_ANSWERS_WITHIN, type HostPorts, requireHost, requireWorking } from './in-connection.js';
import { linkOf } from './in-link.js';
import { findProject, type ProjectPath } from './in-project.js';
import { withAccess } from './with-access.js';

export interface ReadMilestones extends ProjectPath {
  /** Continues the list; null: begins it. */
  readonly page: string | null;
}

/** A milestone with the release it became; null: none. */
export interface MilestoneRow extends HostMilestone {
  readonly releaseId: string | null;
}

export interface MilestoneRows {
  readonly rows: readonly MilestoneRow[];
  readonly next: string | null;
}

/**
 * The milestones of a project's repository, read with the connection of whoever linked it. Role member.
 * @throws DomainError `not-found`, `forbidden`, `host-not-configured`, `host-not-connected`, `host-rejected`, `host-unavailable`
 */
export const readMilestones =
  (ports: HostPorts) =>
  async ({ page, ...path }: ReadMilestones): Promise<MilestoneRows> => {
    const { stores, clock } = ports;
    const project = await findProject(stores, path, 'member');
    const { link } = await linkOf(stores, project.id);
    const host = requireHost(ports, link.host);
    const connection = await requireWorking(stores, link.userId, host);
    const request = { since: null, page, validator: null };
    const reading = await withAccess(ports, connection, clock() + HOST_ANSWERS_WITHIN, (access) =>
      host.repositories.milestones(access, link.repository, request),
    );
    if (reading.unchanged) return { rows: [], next: null };
    const names = reading.rows.map(({ id }) => externalName(link.host, id));
    const releases = await stores.releases.byExternalIds(project.id, names);
    const rows = reading.rows.map((row, index) => ({ ...row, releaseId: releases[index]?.id ?? null }));
    return { rows, next: reading.next };
  };
