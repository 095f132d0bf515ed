import { activateRelease, createRelease, shipRelease } from '@shipworthy/domain';
import { deploy, issue, test, tick } from './happenings.js';
import type { Scene } from './scene.js';

/** A release that went well, from its first issue six weeks ago to its end two weeks ago: its gate said go. */
export const playShippedRelease = async (scene: Scene): Promise<void> => {
  const { ports, place, daysAgo } = scene;
  const { id: releaseId } = await daysAgo(42, () =>
    createRelease(ports)({ ...place, name: '1.0 Search', startsAt: null, targetAt: ports.clock() + 27 * 86_400_000 }),
  );
  const moves = [];
  for (const title of ['Index the catalogue', 'Search box in the header', 'Results with pictures', 'Filters by price'])
    moves.push(await daysAgo(41.5, () => issue(scene, releaseId, title)));
  const typo = await daysAgo(38, () => issue(scene, releaseId, 'Forgive a wrong letter'));
  await daysAgo(37, () => activateRelease(ports)({ ...place, releaseId, current: null }));
  await daysAgo(35, () => deploy(scene, '1.0.0-1', '3f1c9aa', 'success', 'staging'));
  await daysAgo(34.9, () => test(scene, releaseId, '3f1c9aa', 281, 310));
  for (const [index, move] of moves.entries()) await daysAgo(33 - index * 3, () => move('done'));
  const umlaut = await daysAgo(23.5, () => issue(scene, releaseId, 'Umlauts are not found', 'bug', 'major'));
  await daysAgo(23, () => deploy(scene, '1.0.0-2', '77d20be', 'failure', 'staging'));
  await daysAgo(22, () => deploy(scene, '1.0.0-3', 'a95e0c4', 'success', 'staging'));
  await daysAgo(21.8, () => test(scene, releaseId, 'a95e0c4', 329, 342));
  const docs = { url: 'https://docs.example.com/search', label: 'Help page' };
  await daysAgo(20, () => tick(scene, releaseId, 'docs', docs));
  await daysAgo(19.5, () => typo('done'));
  await daysAgo(18, () => umlaut('done'));
  const flag = { url: 'https://flags.example.com/search', label: 'Flag: search' };
  await daysAgo(17.5, () => tick(scene, releaseId, 'feature_flag', flag));
  await daysAgo(16.5, () => deploy(scene, '1.0.0', 'c04b7f1', 'success', 'staging'));
  await daysAgo(16.4, () => test(scene, releaseId, 'c04b7f1', 356, 358));
  const drill = { url: 'https://wiki.example.com/drills/search', label: 'Drill of the rollback' };
  await daysAgo(15.5, () => tick(scene, releaseId, 'rollback', drill));
  await daysAgo(15, () => deploy(scene, '1.0.0', 'c04b7f1'));
  await daysAgo(14.5, () => shipRelease(ports)({ ...place, releaseId, note: 'Search for everybody.' }));
};
