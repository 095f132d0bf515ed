import { userSshCommand } from '../../git/user-settings.js';
import type { World } from '../../world.js';

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The command git uses for SSH, made never to ask: the user's own, never that of the repository in the folder, with options added, as a text for a shell. */
export const sshCommand = async (world: World, folder: string): Promise<string> => {
  const own = world.env.GIT_SSH_COMMAND || (await userSshCommand(world, folder));
  const program = own || (world.env.GIT_SSH ? quoted(world.env.GIT_SSH) : 'ssh');
  return `${program} -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=8`;
};
