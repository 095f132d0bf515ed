import type { Waiver } from '@shipworthy/client';

/** How a waiver stands: it covers a reason now, or why not. */
export type WaiverStanding = 'applies' | 'withdrawn' | 'expired' | 'needless';

/** @param applying ids of those the report names @param now the moment the report stands for, in milliseconds since the epoch */
export const standingOf = (waiver: Waiver, applying: ReadonlySet<string>, now: number): WaiverStanding => {
  if (applying.has(waiver.id)) return 'applies';
  if (waiver.withdrawn_at !== null) return 'withdrawn';
  return Date.parse(waiver.expires_at) <= now ? 'expired' : 'needless';
};

export const STANDINGS: Readonly<Record<WaiverStanding, string>> = {
  applies: 'in force',
  withdrawn: 'withdrawn',
  expired: 'expired',
  needless: 'covers nothing now',
};
