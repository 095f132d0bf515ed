import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { PageKey } from '@shipworthy/domain';
import { faulty, type Problem } from './problem.js';

/** Turns the place in a list into an opaque text and back. */
export interface CursorSeal {
  /** `list` names the very list, filters included: a cursor of one list is worth nothing in another. */
  seal(list: string, key: PageKey): string;
  /** @throws Problem `invalid` for a cursor that was not made here for this list */
  open(list: string, cursor: string): PageKey;
}

const SIGNATURE_BYTES = 16;

const foreign = (): Problem =>
  faulty([{ pointer: 'cursor', code: 'cursor', message: 'cursor must be the next_cursor of this very list' }]);

/** Seals cursors under a key derived from the server's secret, so that all its processes understand them. */
export const createCursorSeal = (secretKey: Uint8Array): CursorSeal => {
  const signingKey = Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), 'shipworthy page cursor', 32));
  const sign = (list: string, content: Buffer): Buffer =>
    createHmac('sha256', signingKey).update(`${list}\n`).update(content).digest().subarray(0, SIGNATURE_BYTES);
  return {
    seal(list, key) {
      const content = Buffer.from(JSON.stringify(key));
      return Buffer.concat([sign(list, content), content]).toString('base64url');
    },
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const content = bytes.subarray(SIGNATURE_BYTES);
      if (bytes.length <= SIGNATURE_BYTES) throw foreign();
      if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(list, content))) throw foreign();
      return JSON.parse(content.toString()) as PageKey;
    },
  };
};
