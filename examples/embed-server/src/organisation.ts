import { uuidv7 } from '@shipworthy/adapters/crypto';
import type { Stores } from '@shipworthy/domain';

/** No password has this hash, so people come in through the gateway only. */
const NO_PASSWORD = 'none';

/** Stores a person of the organisation's directory, and a team with that person as owner; returns the team's id. */
export const enrol = async (stores: Stores, email: string, name: string, teamName: string): Promise<string> => {
  const newId = uuidv7(Date.now);
  const createdAt = Date.now();
  const user = { id: newId(), email, name, emailVerified: false, administrator: false, createdAt, disabledAt: null };
  const team = { id: newId(), name: teamName, slug: teamName.toLowerCase(), demo: false, version: 1, createdAt };
  await stores.transaction(async (inside) => {
    await inside.users.create(user, NO_PASSWORD);
    await inside.teams.create(team, { teamId: team.id, userId: user.id, role: 'owner', createdAt });
  });
  return team.id;
};
