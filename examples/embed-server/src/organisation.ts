import { uuidv7 } from '@shipworthy/adapters/crypto';
import type { Stores } from '@shipworthy/domain';

/** No password of any length hashes to this: people come through the gateway only. */
const NO_PASSWORD = 'none';

/** Puts a person and a team of the organisation's directory into the stores; answers the team's id. */
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
