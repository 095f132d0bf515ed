import { dateText } from '../wording/moments.js';
import { Icon } from './icon.js';
import { Moment } from './moment.js';

const SOON_MS = 14 * 86_400_000;

const timeLeft = (at: string): number => Date.parse(at) - Date.now();

/** Whether the key ends within 14 days, or ended no more than 14 days ago: both call for a new one. */
export const endsAboutNow = (at: string): boolean => Math.abs(timeLeft(at)) <= SOON_MS;

/** When a key ends, with a mark in its last 14 days. */
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
