import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { agoText, dateText, momentText } from '../wording/moments.js';
import { Icon } from './icon.js';

const EVERY_MS = 30_000;
/** A component that reads it is drawn again when it changes. */
const now = signal(Date.now());
let isTicking = false;

const keepTicking = (): void => {
  if (isTicking) return;
  isTicking = true;
  setInterval(() => {
    now.value = Date.now();
  }, EVERY_MS);
};

/**
 * A moment in words such as `3 minutes ago`, renewed while the page is open; the exact moment is in the tooltip and the
 * `datetime` attribute.
 */
export const Moment = ({ at }: { readonly at: string }) => {
  const time = useRef<HTMLTimeElement>(null);
  keepTicking();
  // After painting, which must not wait for a tooltip.
  useEffect(() => {
    if (time.current !== null) time.current.title = momentText(at);
  }, [at]);
  return (
    <time ref={time} dateTime={at}>
      {/* A record that just arrived is newer than the last tick of `now`. */}
      {agoText(at, Math.max(now.value, Date.now()))}
    </time>
  );
};

const SOON_MS = 14 * 86_400_000;

const timeLeft = (at: string): number => Date.parse(at) - Date.now();

/** Whether the key ends within 14 days, or ended no more than 14 days ago: both call for a new one. */
export const endsAboutNow = (at: string): boolean => Math.abs(timeLeft(at)) <= SOON_MS;

/** When a key ends, with a mark in its last 14 days and after its end. */
export const Expiry = ({ at }: { readonly at: string }) => {
  const left = timeLeft(at);
  if (left > SOON_MS) return <time dateTime={at}>{dateText(at)}</time>;
  return (
    <span class="marked">
      <Icon name="attention" /> {left > 0 ? null : 'expired '}
      <Moment at={at} />
    </span>
  );
};

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
