import { BlockList, isIP } from 'node:net';
import type { Resolve } from './host-names.js';

/** IPv4 that is not the internet's: IANA's special-purpose registry, multicast, and the metadata address of Azure. */
const REFUSED_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** The addresses of the internet in IPv6; mapped, translated (NAT64), local and multicast addresses are not among them. */
const GLOBAL_6 = ['2000::/3'];
/** Parts of it that are refused: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const REFUSED_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** The network that is named by an address, or by an address and the length of its prefix; undefined when it is none. */
export const parsedNetwork = (text: string): Network | undefined => {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0 || address.includes('%')) return undefined;
  const longest = version === 4 ? 32 : 128;
  const bits = length === undefined ? longest : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits <= longest ? { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
};

/** Whether an address lies in one of the networks. Families are kept apart: Node takes IPv4 for a part of IPv6. */
const among = (networks: readonly string[]): ((address: string) => boolean) => {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of networks) {
    const network = parsedNetwork(text);
    if (network !== undefined) lists[network.family].addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const found = parsedNetwork(address);
    return found !== undefined && lists[found.family].check(address, found.family);
  };
};

const isRefused4 = among(REFUSED_4);
const isGlobal6 = among(GLOBAL_6);
const isRefused6 = among(REFUSED_6);

const isPublic = (address: string): boolean =>
  isIP(address) === 4 ? !isRefused4(address) : isGlobal6(address) && !isRefused6(address);

/** Decides which addresses may be reached. */
export interface AddressGuard {
  /** Whether the host was named as a target, with any addresses. */
  names(host: string): boolean;
  /** Whether the address belongs to the internet, or to a network that was named as a target. */
  admits(address: string): boolean;
}

/** A target is a host name, an address or a network such as `10.2.0.0/16`. */
export const isTarget = (text: string): boolean =>
  parsedNetwork(text) !== undefined || /^(?=.{1,253}$)[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i.test(text);

/** Lets the internet and the named targets through, nothing else. */
export const addressGuard = (targets: readonly string[]): AddressGuard => {
  const isNamed = among(targets);
  const hosts = new Set(targets.filter((text) => parsedNetwork(text) === undefined).map((host) => host.toLowerCase()));
  return {
    names: (host) => hosts.has(host.toLowerCase()),
    admits: (address) => isPublic(address) || isNamed(address),
  };
};

/**
 * The one address to connect to; undefined when the host has an address that must not be reached, even beside others:
 * which one is answered next is its owner's choice.
 */
export const approvedAddress = async (
  host: string,
  guard: AddressGuard,
  resolve: Resolve,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
  const approved = guard.names(host) || addresses.every((address) => guard.admits(address));
  return approved ? addresses[0] : undefined;
};
