import { pause } from '../clock/run-time.js';
import { isLostRace } from './errors.js';

/** How often work is begun before its caller is told. */
const TRIES = 5;
/** How long the loser leaves the others alone before it begins again, in milliseconds; twice as long each further time. */
const PAUSE_MS = 50;

/**
 * Does the work again where the database undid all of it only because transactions waited for each other. Who began again at
 * once would now and then take the lock back before the one that it was taken from for wakes up, and lose once more.
 */
export const despiteLostRaces = async <Result>(work: () => Promise<Result>, wait = pause): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLostRace(error) || attempt === TRIES) throw error;
      await wait(PAUSE_MS * 2 ** (attempt - 1));
    }
  }
};
