import { DomainError } from '@shipworthy/domain';
import { playHeldRelease } from './held-release.js';
import { type DemoPorts, openScene } from './scene.js';
import { playShippedRelease } from './shipped-release.js';
import { playUnmeasuredRelease } from './unmeasured-release.js';

/** So named that no pipeline reports to it by chance. */
const NAMES = { team: 'Demo', project: 'demo-shop', createdDaysAgo: 43 };

/**
 * Adds the demo, owned by everybody who is an administrator then, unless there is one: a team of its own with one project
 * of three releases whose gates say go, hold and unknown, made by the use cases that real data goes through.
 * All of it or nothing; of several instances one adds it.
 * @returns whether there is a demo now; false while nobody is set up
 */
export const addDemo = async ({ stores, clock }: DemoPorts): Promise<boolean> => {
  const owners = (await stores.users.administrators()).map(({ id }) => id);
  if (owners.length === 0) return false;
  if ((await stores.teams.demo()) !== undefined) return true;
  try {
    await stores.transaction(async (inside) => {
      const scene = await openScene(inside, clock(), owners, NAMES);
      await playShippedRelease(scene);
      await playHeldRelease(scene);
      await playUnmeasuredRelease(scene);
    });
  } catch (error) {
    // Another instance was faster.
    if (!(error instanceof DomainError && error.code === 'name-taken')) throw error;
  }
  return true;
};
