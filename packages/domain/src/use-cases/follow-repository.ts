import type { LinkedRepository } from '../repository/repository-link-store.js';
import { askingIn, type ImportTurn } from './import-page.js';
import { ClaimLost } from './in-import.js';
import { repositoryNow } from './repository-now.js';

/**
 * The link with its repository as it is called now, stored, when nothing of that id was found under the path it had: hosts
 * give former paths to others. undefined: it still has that path.
 * @throws HostFailure when it cannot be read, ClaimLost
 */
export const followRepository = async (
  turn: ImportTurn,
  { link, state }: LinkedRepository,
): Promise<LinkedRepository | undefined> => {
  const { stores, clock } = turn.ports;
  const repository = await repositoryNow({ ask: askingIn(turn), linked: { link, state } });
  if (repository.path === link.repository.path) return undefined;
  const moved = { link: { ...link, repository }, state };
  await stores.transaction(async ({ projects, repositoryLinks }) => {
    await projects.lock(link.projectId);
    if (!(await repositoryLinks.save(turn.claim, moved, state, clock()))) throw new ClaimLost();
  });
  return moved;
};
