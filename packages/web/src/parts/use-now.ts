import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 60_000;

/** The moment it is, in milliseconds since the epoch, looked up again every minute. */
export const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};
