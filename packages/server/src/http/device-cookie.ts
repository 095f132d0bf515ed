import { DEVICE_KNOWN_FOR, devices, type SignedDevice } from '@shipworthy/adapters/crypto';
import type { Clock, NewId } from '@shipworthy/domain';
import { basePathOf } from './base-path.js';
import { cookieValue } from './credential.js';
import type { Exchange } from './exchange.js';

/** The cookie by which a device is known that has signed in to an account before, for a year after the last time. */
export interface DeviceCookie {
  readonly name: string;
  /** The device that the request shows; null: none, or a forged one. */
  shown(exchange: Pick<Exchange, 'request'>): SignedDevice | null;
  /** The `Set-Cookie` value after the device of the request signed in to the account. */
  header(exchange: Pick<Exchange, 'request'>, account: string): string;
}

export interface DeviceCookieOptions {
  readonly baseUrl: URL;
  /** 32 bytes or more. */
  readonly secretKey: Uint8Array;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Named and protected like the session cookie: over https `__Host-shipworthy-device`, over plain http `shipworthy_device`; below a
 * base path `__Secure-shipworthy-device-` and `shipworthy_device-` with the path, and sent to that path alone. It lets nobody in:
 * it only keeps the device's tries to sign in apart from those of others.
 */
export const deviceCookie = ({ baseUrl, secretKey, clock, newId }: DeviceCookieOptions): DeviceCookie => {
  const { seal, open } = devices(secretKey);
  const secure = baseUrl.protocol === 'https:';
  const basePath = basePathOf(baseUrl);
  const prefix = basePath === '' ? '__Host-' : '__Secure-';
  const name = `${secure ? `${prefix}shipworthy-device` : 'shipworthy_device'}${basePath.replaceAll('/', '-')}`;
  const attributes = `Path=${basePath === '' ? '/' : basePath}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const shown: DeviceCookie['shown'] = ({ request: { headers } }) => {
    const text = headers.cookie === undefined ? undefined : cookieValue(headers.cookie, name);
    return text === undefined ? null : (open(text, clock()) ?? null);
  };
  return {
    name,
    shown,
    header: (exchange, account) => {
      const now = clock();
      const device = shown(exchange);
      const kept = seal(device?.isOf(account) ? device.id : newId(), account, now);
      return `${name}=${kept}; ${attributes}; Expires=${new Date(now + DEVICE_KNOWN_FOR).toUTCString()}`;
    },
  };
};
