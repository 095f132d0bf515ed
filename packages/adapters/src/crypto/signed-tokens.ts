import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant, PageKey } from '@shipworthy/domain';
import { derivedKey } from './secret-key.js';

const MAC_LENGTH = 16;
const CURSOR_FORM = /^[A-Za-z0-9_-]+$/;

/** Cursors hold page keys. A caller can read them; a changed one is refused. */
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

/** How long a device is known after it signed in last, in milliseconds: 365 days. */
export const DEVICE_KNOWN_FOR = 365 * 24 * 3_600_000;

/** A device that has signed in. */
export interface SignedDevice {
  readonly id: string;
  /** A code of the account, the same on all its devices; the account cannot be read from it. */
  readonly account: string;
  /** Whether it signed in to that account. */
  isOf(account: string): boolean;
}

/** Makes and reads tokens by which devices prove that they signed in to an account; a token reveals no account. */
export interface Devices {
  /** The text that the device keeps from that moment on. */
  seal(deviceId: string, account: string, at: Instant): string;
  /** The device; undefined when the text was not made here, or too long ago. */
  open(text: string, now: Instant): SignedDevice | undefined;
}

const DEVICE_FORM = /^([0-9a-f-]{36})\.(\d{1,15})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Devices signed with HMAC-SHA-256 under a key derived from the server's secret key. */
export const devices = (secretKey: Uint8Array): Devices => {
  const key = derivedKey(secretKey, 'device');
  const macOf = (...parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return {
    seal: (deviceId, account, at) => {
      const owner = macOf(account);
      return [deviceId, at, owner, macOf(deviceId, String(at), owner)].join('.');
    },
    open: (text, now) => {
      const [, id, at, owner, mac] = DEVICE_FORM.exec(text) ?? [];
      if (id === undefined || at === undefined || owner === undefined || mac === undefined) return undefined;
      if (!isSame(macOf(id, at, owner), mac) || now - Number(at) >= DEVICE_KNOWN_FOR) return undefined;
      return { id, account: owner, isOf: (account) => isSame(macOf(account), owner) };
    },
  };
};
