import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** IPv4 networks outside the public internet: IANA's special-purpose registry, multicast, Azure's metadata address. */
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
/** The public IPv6 addresses. Mapped, translated (NAT64), local and multicast addresses lie outside. */
const GLOBAL_6 = ['2000::/3'];
/** Refused parts of `GLOBAL_6`: protocol assignments with Teredo, documentation, and 6to4, which holds IPv4. */
const REFUSED_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Reads a network: an address, or an address with a prefix length such as `10.2.0.0/16`; undefined for other texts. */
export const parsedNetwork = (text: string): Network | undefined => {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0 || address.includes('%')) return undefined;
  const longest = version === 4 ? 32 : 128;
  const bits = length === undefined ? longest : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits <= longest ? { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
};

/** Returns a check whether an address is in a network. Lists are by family: Node takes IPv4 for a part of IPv6. */
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
  /** Whether the host was named as a target; then all its addresses may be reached. */
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
 * Returns the address to connect to; undefined when any address of the host must not be reached, since the host's owner
 * chooses which address the next look-up gives.
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

/** All addresses of a host name. The signal fires when the caller no longer waits. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<readonly string[]>;

/** Time limit of one query to a name server, in milliseconds, and the number of tries. */
const ASKED = { timeout: 2000, tries: 2 } as const;

/** Asks the machine's name servers; IPv4 comes first, because it is reached from everywhere. */
const askServers: Resolve = async (host) => {
  const servers = new Resolver(ASKED);
  const [four, six] = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** Asks the operating system, which also uses its hosts file and its search domains. */
const askSystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
};

/** The two ways to look a name up: by the machine's name servers, or by the operating system. */
interface NameSources {
  readonly servers: Resolve;
  readonly system: Resolve;
}

const notFound = (host: string): Error =>
  Object.assign(new Error(`${host} was not looked up in time.`), { code: 'ENOTFOUND' });

/**
 * Looks up names that people entered. A look-up by the system holds one of two threads until it is answered. The
 * look-ups of the database and of the repository host need these threads, too: names whose servers never answer would
 * block both. So the name servers are asked first, which holds no thread. The system is asked for what they do not
 * know, one name at a time. Names that the operator chose (`isTrusted`) go to the system at once. A name that is being
 * looked up is not looked up again.
 */
export const nameResolver = (
  isTrusted: (host: string) => boolean,
  { servers, system }: NameSources = { servers: askServers, system: askSystem },
): Resolve => {
  const underWay = new Map<string, Promise<readonly string[]>>();
  let before: Promise<unknown> = Promise.resolve();

  const inTurn: Resolve = (host, signal) => {
    const found = before.then(() => {
      if (signal?.aborted) throw notFound(host);
      return system(host);
    });
    before = found.catch(() => undefined);
    return found;
  };

  const find: Resolve = (host, signal) =>
    isTrusted(host) ? system(host) : servers(host).catch(() => inTurn(host, signal));

  return (host, signal) => {
    const known = underWay.get(host);
    if (known !== undefined) return known;
    const found = find(host, signal).finally(() => underWay.delete(host));
    underWay.set(host, found);
    return found;
  };
};
