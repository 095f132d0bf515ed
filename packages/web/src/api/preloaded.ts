/** Read at every start, whoever is there. */
const ALWAYS_READ = /\/api\/(about|session)$/;

/** What the headers of the page had the browser ask for, before the script ran. */
const preloads = (): readonly PerformanceResourceTiming[] =>
  (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ name, initiatorType }) => initiatorType === 'link' && name.includes('/api/') && !ALWAYS_READ.test(name),
  );

/** Takes these answers, where nobody turned out to be signed in: the browser would hand the refusals to who signs in then. */
export const forgetPreloads = async (): Promise<void> => {
  await Promise.all(preloads().map(({ name }) => fetch(name).catch(() => undefined)));
};

/** Older than this, in milliseconds, they may lack what has happened since. */
const MOST_AGE_MS = 1_000;

/** Whether there were such answers, and the last of them came some time ago. */
export const arePreloadsOld = (): boolean => {
  const ends = preloads().map(({ responseEnd }) => responseEnd);
  return ends.length > 0 && performance.now() - Math.max(...ends) > MOST_AGE_MS;
};
