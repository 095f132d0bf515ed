import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PageKey } from '@shipworthy/domain';
import { derivedKey } from './derived-key.js';

const MAC_LENGTH = 16;
const CURSOR_FORM = /^[A-Za-z0-9_-]+$/;

/** Page keys on their way through other people's hands: readable by nobody's need, changed by nobody unseen. */
export interface Cursors {
  /** The page key as opaque text for `list`: the list and its filters, since a key of one list means nothing in another. */
  sealCursor(key: PageKey, list: string): string;
  /** The page key; undefined when the text was not made here for that very list. */
  openCursor(text: string, list: string): PageKey | undefined;
}

/** Cursors signed with HMAC-SHA-256, cut to 128 bits, under a key derived from the server's secret key. */
export const cursors = (secretKey: Uint8Array): Cursors => {
  const key = derivedKey(secretKey, 'cursor');
  const macOf = (payload: Uint8Array, list: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(list))
      .update('\n')
      .update(payload)
      .digest()
      .subarray(0, MAC_LENGTH);
  return {
    sealCursor: (pageKey, list) => {
      const payload = Buffer.from(JSON.stringify(pageKey), 'utf8');
      return Buffer.concat([macOf(payload, list), payload]).toString('base64url');
    },
    openCursor: (text, list) => {
      const bytes = CURSOR_FORM.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
      // One page key has one text only: base64 readers overlook spare bits at the end.
      if (bytes.length <= MAC_LENGTH || bytes.toString('base64url') !== text) return undefined;
      const payload = bytes.subarray(MAC_LENGTH);
      if (!timingSafeEqual(macOf(payload, list), bytes.subarray(0, MAC_LENGTH))) return undefined;
      return JSON.parse(payload.toString('utf8')) as PageKey;
    },
  };
};
