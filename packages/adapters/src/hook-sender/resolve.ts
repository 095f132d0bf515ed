import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.js';

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** As the system finds them, IPv4 first: it is reached from everywhere. */
export const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
};

/**
 * The one address to connect to; undefined when the host has an address that must not be reached, even beside others:
 * which one is answered next is its owner's choice.
 */
export const approvedAddress = async (
  host: string,
  guard: AddressGuard,
  resolve: Resolve,
): Promise<string | undefined> => {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const approved = guard.names(host) || addresses.every((address) => guard.admits(address));
  return approved ? addresses[0] : undefined;
};
