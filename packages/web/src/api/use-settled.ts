import { useEffect, useState } from 'preact/hooks';

/** A value once it has stayed the same for that many milliseconds, so that nobody who types is interrupted. */
export const useSettled = <Value>(value: Value, ms = 300): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};
