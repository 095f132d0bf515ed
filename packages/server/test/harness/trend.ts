import { recordHistory } from '@shipworthy/domain/use-cases';
import type { Stage } from './stage.js';

/** Has the trend recorded, or waits until the background work has, and makes sure that the record is among the causes. */
export const pointMade = async ({ service, pipeline, inRelease }: Stage, recordId: string): Promise<void> => {
  for (let tries = 0; tries < 10_000; tries += 1) {
    await recordHistory(service.ports, { limit: 100, leaseMs: 60_000 });
    const { body } = await pipeline.ok('listHistory', { path: inRelease });
    if (body.data.some(({ causes }) => causes.some(({ id }) => id === recordId))) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Nothing was made of ${recordId}.`);
};
