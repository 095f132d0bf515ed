import { requireRole } from '../access/permission.js';
import { notFound } from '../errors.js';
import { type ChangePorts, change } from './change.js';
import type { InTeam } from './in-team.js';

/** Removes the demo with everything in it; nothing else is ever removed by this. Role owner in it. @throws DomainError `not-found` when there is none in sight, `forbidden` */
export const removeDemo =
  (ports: ChangePorts) =>
  async ({ by }: Pick<InTeam, 'by'>): Promise<void> => {
    const demo = await ports.stores.teams.demo();
    if (demo === undefined || !by.principal.roles.has(demo.id)) throw notFound('demo');
    requireRole(by.principal, demo.id, 'owner');
    await change(ports, by, async ({ stores, note }) => {
      if (!(await stores.teams.removeDemo(demo.id))) throw notFound('demo');
      const resource = { type: 'team', id: demo.id };
      await note({ teamId: null, action: 'demo.remove', resource, detail: { name: demo.name } });
    });
  };
