import { activateRelease, addChecklistItem, createRelease, waiveReason } from '@shipworthy/domain';
import { deploy, issue, test, tick } from './happenings.js';
import type { Scene } from './scene.js';

const DAY = 86_400_000;

/** The release being worked on: a critical bug is open, the rollback was never tried, so its gate says hold. */
export const playHeldRelease = async (scene: Scene): Promise<void> => {
  const { ports, place, daysAgo } = scene;
  const { id: releaseId } = await daysAgo(14.4, () =>
    createRelease(ports)({ ...place, name: '1.1 Gift cards', startsAt: null, targetAt: ports.clock() + 18 * DAY }),
  );
  await daysAgo(14.3, () => activateRelease(ports)({ ...place, releaseId, current: null }));
  const moves = [];
  for (const title of ['Buy a gift card', 'Pay with a gift card', 'Show what is left on it', 'Mail with the code'])
    moves.push(await daysAgo(14.2, () => issue(scene, releaseId, title)));
  await daysAgo(14.1, () => issue(scene, releaseId, 'Report of cards sold'));
  await daysAgo(12, () => deploy(scene, '1.1.0-1', '5be81d0', 'success', 'staging'));
  await daysAgo(11.9, () => test(scene, releaseId, '5be81d0', 349, 366));
  for (const [index, move] of moves.entries()) await daysAgo(11.5 - index * 1.5, () => move('done'));
  const rounding = await daysAgo(6.8, () => issue(scene, releaseId, 'A cent is lost in rounding', 'bug', 'major'));
  const expired = await daysAgo(6.5, () => issue(scene, releaseId, 'Expired cards are taken', 'bug', 'critical'));
  await daysAgo(6, () => deploy(scene, '1.1.0-2', '90aa3c7', 'failure', 'staging'));
  await daysAgo(5.8, () => deploy(scene, '1.1.0-3', 'd1774ef', 'success', 'staging'));
  await daysAgo(5.7, () => test(scene, releaseId, 'd1774ef', 371, 388));
  const docs = { url: 'https://docs.example.com/gift-cards', label: 'Help page' };
  await daysAgo(5, () => tick(scene, releaseId, 'docs', docs));
  await daysAgo(4.5, () => rounding('done'));
  await daysAgo(4, () => addChecklistItem(ports)({ ...place, releaseId, title: 'Support briefed' }));
  await daysAgo(3.8, () => tick(scene, releaseId, 'support_briefed'));
  await daysAgo(3, () => deploy(scene, '1.1.0-4', '2c6fb18', 'success', 'staging'));
  const flag = { url: 'https://flags.example.com/gift-cards', label: 'Flag: gift cards' };
  await daysAgo(2.5, () => tick(scene, releaseId, 'feature_flag', flag));
  await daysAgo(2, () => expired('in_progress'));
  const why = { text: 'The rollback is tried before the launch; until then the flag turns gift cards off.' };
  await daysAgo(1.5, () =>
    waiveReason(ports)({
      ...place,
      releaseId,
      code: 'axis_below_minimum',
      axis: 'ops',
      ...why,
      expiresAt: ports.clock() + 14 * DAY,
    }),
  );
  await daysAgo(0.3, () => deploy(scene, '1.1.0-5', 'e83d52a', 'success', 'staging'));
  await daysAgo(0.2, () => test(scene, releaseId, 'e83d52a', 398, 403));
};
