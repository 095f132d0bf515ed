import type { PageKey } from '../page.js';
import type { Stores } from '../ports.js';
import type { Release } from '../release/release.js';

/** All releases of a project, newest first. */
export const releasesOf = async (
  { releases }: Pick<Stores, 'releases'>,
  projectId: string,
): Promise<readonly Release[]> => {
  const all: Release[] = [];
  let after: PageKey | null = null;
  do {
    const page = await releases.ofProject(projectId, null, { limit: 200, after });
    all.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return all;
};
