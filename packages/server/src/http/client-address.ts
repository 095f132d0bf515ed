import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);

/**
 * The network address a request came from. Behind `trustedProxies` proxies it is that many entries from the right end of
 * `X-Forwarded-For`: what stands further left was written by the caller.
 */
export const addressOf = (request: IncomingMessage, trustedProxies: number): string => {
  const own = plain(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return own;
  const forwarded = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
  const candidate = plain((hops.at(-trustedProxies) ?? hops[0] ?? '').trim());
  return isIP(candidate) === 0 ? own : candidate;
};
