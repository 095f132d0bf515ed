import { createRelease } from '@shipworthy/domain';
import { issue, tick } from './happenings.js';
import type { Scene } from './scene.js';

/** A release that looks finished, but was neither tested nor deployed: its gate says unknown, not go. */
export const playUnmeasuredRelease = async (scene: Scene): Promise<void> => {
  const { ports, place, daysAgo } = scene;
  const { id: releaseId } = await daysAgo(0.15, () =>
    createRelease(ports)({ ...place, name: '1.0.1 Repair', startsAt: null, targetAt: null }),
  );
  const repair = await daysAgo(0.14, () => issue(scene, releaseId, 'Search fails for one letter', 'bug', 'major'));
  const words = await daysAgo(0.13, () => issue(scene, releaseId, 'Say it when nothing is found', 'task'));
  await daysAgo(0.1, () => repair('done'));
  await daysAgo(0.09, () => words('done'));
  const drill = { url: 'https://wiki.example.com/drills/search', label: 'Drill of the rollback' };
  await daysAgo(0.08, () => tick(scene, releaseId, 'rollback', drill));
  await daysAgo(0.07, () =>
    tick(scene, releaseId, 'docs', undefined, 'A repair that changes nothing the docs speak of'),
  );
  await daysAgo(0.06, () =>
    tick(scene, releaseId, 'feature_flag', undefined, 'A repair of two lines, shipped to everybody'),
  );
};
