import { lastingText } from '../../wording/moments.js';

/** Few deployments take longer; most that seem to were never finished by their pipeline. In seconds. */
const LONG = 3_600;

/** How long a deployment has been under way, and what to ask when that is too long. Moments in milliseconds since the epoch. */
export const inProgressText = (startedAt: number, now: number): string => {
  const seconds = Math.max(0, (now - startedAt) / 1000);
  const lasting = `for ${lastingText(seconds)}`;
  return seconds < LONG ? lasting : `${lasting}: did the pipeline end without telling?`;
};
