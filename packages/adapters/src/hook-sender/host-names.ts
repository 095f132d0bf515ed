import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a host name. The signal fires when the caller no longer waits. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<readonly string[]>;

/** Times of one question to a name server, in milliseconds, and how often it is asked. */
const ASKED = { timeout: 2000, tries: 2 } as const;

/** As the name servers of the machine answer, IPv4 first: it is reached from everywhere. */
const askServers: Resolve = async (host) => {
  const servers = new Resolver(ASKED);
  const [four, six] = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** As the system finds them, with its file of hosts and the domains that it searches. */
const askSystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
};

/** Who is asked for addresses; the machine's own unless given. */
interface NameSources {
  readonly servers: Resolve;
  readonly system: Resolve;
}

const notFound = (host: string): Error =>
  Object.assign(new Error(`${host} was not looked up in time.`), { code: 'ENOTFOUND' });

/**
 * Looks up names that people chose. The system's own look-up holds one of two threads until it is answered, by which this process
 * reaches its database and the repository host, too: a name whose servers never answer would keep it from both. So the name servers
 * are asked first, which holds none, and the system only for what they do not know, by one name at a time. Names that the operator
 * chose (`isTrusted`) are the system's at once. A name that is being looked up is not looked up again.
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
