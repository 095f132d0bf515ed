import { existsSync, readFileSync } from 'node:fs';

/** The most that one turn of the event loop may take of the processor, in milliseconds, where the sample takes its usual time or less. */
export const MOST_MS = 100;
/** A machine where the sample takes longer is slow, or busy: a turn may take longer there by as much. In milliseconds. */
const USUAL_SAMPLE_MS = 80;
/** So many that the sample takes long beside the 4 ms in which some systems count. */
const SAMPLE_TIMES = 100;
const SAMPLE = JSON.stringify(
  Array.from({ length: 1000 }, (_, nth) => ({ app_name: `${nth}`.padEnd(200, 'name'), status: 'success', nth })),
);
/** A turn may meet a collection of garbage or another program's caches: a request holds the thread if it does so each time. */
const TRIES = 5;

/** Where Linux counts the processor time of the main thread. The process's own time has that of the threads that compress, too. */
const THREAD = `/proc/self/task/${process.pid}/schedstat`;
const usedByThread = (): number => Number(readFileSync(THREAD, 'utf8').split(' ')[0]) / 1e6;
const usedByProcess = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const used = existsSync(THREAD) ? usedByThread : usedByProcess;

/** The same work on every machine, of the kind that requests cause: what it takes of the processor here and now, in milliseconds. */
const sampleMs = (): number => {
  const before = used();
  for (let time = 0; time < SAMPLE_TIMES; time += 1) {
    const rows = JSON.parse(SAMPLE) as readonly { readonly app_name: string }[];
    JSON.stringify(rows.toSorted((one, other) => (one.app_name < other.app_name ? 1 : -1)));
  }
  return used() - before;
};

/** A turn as long as it would be on a usual machine, in milliseconds. */
const onUsualMachine = (ms: number): number => (ms <= MOST_MS ? ms : ms / Math.max(1, sampleMs() / USUAL_SAMPLE_MS));

/** Watches the turns of the event loop; what it returns ends that and tells the longest, in milliseconds of the processor. */
const watchTurns = (): (() => number) => {
  let [longest, before, watching] = [0, used(), true];
  const turn = (): void => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
    if (watching) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    watching = false;
    return longest;
  };
};

/** The longest turn of the work that was prepared, as on a usual machine, of several tries the shortest one; they end as soon as one was short enough. */
export const leastTurn = async (prepare: () => Promise<() => Promise<void>>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > MOST_MS; tries += 1) {
    const work = await prepare();
    const longest = watchTurns();
    await work();
    least = Math.min(least, onUsualMachine(longest()));
  }
  return least;
};
