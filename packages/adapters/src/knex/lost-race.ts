import { pause } from '../clock/run-time.js';
import { isLostRace } from './errors.js';

/** How often the work is tried in all. */
const TRIES = 5;
/** The pause before the second try, in milliseconds; each further pause is twice as long. */
const PAUSE_MS = 50;

/**
 * Runs the work again where the database rolled all of it back because of a deadlock or a serialization failure. It waits before
 * each try: a loser that begins again at once can take the lock before the winner wakes up, and lose again.
 * @throws the failure of the fifth try
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
