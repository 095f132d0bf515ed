import { uuidv7 } from '@shipworthy/adapters/crypto';
import type { Stores } from '@shipworthy/domain';
import type { Crowded } from './fill-database.js';

const DAY = 86_400_000;

const newId = uuidv7(Date.now);

/** Stores a team with a project, its active release of the last 90 days and a webhook: what the rest is filled around. */
export const storeCrowdedProject = async (
  stores: Stores,
  now: number,
): Promise<Crowded & { readonly userId: string }> => {
  const [userId, teamId, projectId, releaseId, webhookId] = [newId(), newId(), newId(), newId(), newId()];
  const createdAt = now - 1_000 * DAY;
  const user = {
    id: userId,
    email: 'ada@example.org',
    name: 'Ada',
    emailVerified: true,
    administrator: true,
    disabledAt: null,
    createdAt,
  };
  await stores.users.create(user, 'hash');
  await stores.teams.create(
    { id: teamId, name: 'Payments', slug: 'payments', version: 1, createdAt, demo: false },
    { teamId, userId, role: 'owner', createdAt },
  );
  await stores.projects.create({ id: projectId, teamId, name: 'checkout', slug: 'checkout', version: 1, createdAt });
  await stores.releases.create(
    {
      id: releaseId,
      projectId,
      name: 'Spring',
      state: 'active',
      // In the middle of an hour, so that the window's edge falls on no bucket.
      startsAt: Math.floor(now / DAY) * DAY - 90 * DAY + 37 * 60_000,
      targetAt: null,
      shippedAt: null,
      canceledAt: null,
      externalId: null,
      note: null,
      version: 1,
      createdAt: now - 90 * DAY,
    },
    [],
  );
  await stores.webhooks.create({
    id: webhookId,
    projectId,
    url: 'https://hooks.example.org/',
    types: ['gate.changed'],
    state: 'enabled',
    secret: 'sealed',
    disabled: null,
    failingSince: null,
    formerSecrets: [],
    createdAt,
    createdBy: 'Ada',
    version: 1,
  });
  return { userId, teamId, projectId, releaseId, webhookId };
};
