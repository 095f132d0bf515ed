import type { ChecklistItem } from '../../src/checklist.js';
import { addChecklistItem } from '../../src/use-cases/checklist.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { type ReleaseScene, releaseScene } from './scene.js';

/** The active release with its first checklist item, and the state of its ops axis. */
export const itemScene = async () => {
  const here = await releaseScene();
  const [item] = await here.stores.checklists.ofRelease(here.release.id);
  if (item === undefined) throw new Error('A release starts with a checklist.');
  return { ...here, item, there: { ...here.at, itemId: item.id } };
};

/** The active release with an item that was added by hand. */
export const addedItemScene = async () => {
  const here = await releaseScene();
  const item = await addChecklistItem(here, { by: here.member, ...here.at, title: 'Pen test' });
  return { ...here, item, there: { ...here.at, itemId: item.id } };
};

export const opsOf = async ({ stores, release }: ReleaseScene) =>
  (await stores.facts.factsFor([release.id]))[0]?.facts.ops;

export const shipped = (here: ReleaseScene) => shipRelease(here, { by: here.member, ...here.at, note: null });

export const titles = (items: readonly ChecklistItem[]): readonly string[] => items.map((item) => item.title);
