import { signal } from '@preact/signals';
import { agoText, momentText } from '../wording/moments.js';

const EVERY_MS = 30_000;
/** Whoever reads it is drawn again when it moves. */
const now = signal(Date.now());
let isTicking = false;

const keepTicking = (): void => {
  if (isTicking) return;
  isTicking = true;
  setInterval(() => {
    now.value = Date.now();
  }, EVERY_MS);
};

/** A moment as people say it, which stays true on a page left open; the exact one on hovering and for programs. */
export const Moment = ({ at }: { readonly at: string }) => {
  keepTicking();
  return (
    <time dateTime={at} title={momentText(at)}>
      {/* What has just come in is newer than the last tick. */}
      {agoText(at, Math.max(now.value, Date.now()))}
    </time>
  );
};
