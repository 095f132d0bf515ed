/** How long an answer may take before the server is asked on a new connection whether it is still there, in milliseconds. */
const PATIENCE = 1000;

/** Probes under way, one per pool: many stuck statements ask once. */
const probes = new WeakMap<object, Promise<boolean>>();

const reached = (pool: object, probe: () => Promise<unknown>): Promise<boolean> => {
  const running = probes.get(pool);
  if (running !== undefined) return running;
  const asked = probe().then(
    () => true,
    () => false,
  );
  probes.set(pool, asked);
  void asked.finally(() => probes.delete(pool));
  return asked;
};

/**
 * Waits for an answer. When it is late and the server cannot be reached anew either, the way to it has been cut without
 * a word: `giveUp` then breaks the connection, which fails whatever waits on it. A server that is merely slow is left to
 * its own limit for statements.
 */
export const watchedForSilence = async <Answer>(
  answer: Promise<Answer>,
  pool: object,
  probe: () => Promise<unknown>,
  giveUp: () => void,
): Promise<Answer> => {
  const timer = setInterval(async () => {
    if (!(await reached(pool, probe))) giveUp();
  }, PATIENCE);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
  }
};
