// A copy of the contract's `parsedUrl`, which adapters must not import; a test of the server compares the two.

/** The authority (user, host and port) of an address whose host `URL` parses. */
const AUTHORITY = /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)/iu;
/** Longest name of a host, and longest part of one between dots, in characters. Source: RFC 1035, section 2.3.4. */
const [LONGEST_HOST, LONGEST_LABEL] = [253, 63];
/** A colon and the digits of a port. */
const LONGEST_PORT = 6;
/** The characters that `URL` reads as dots in a host name. */
const DOTS = /[.\u3002\uff0e\uff61]/u;

/**
 * Whether the host name in a web address is longer than host names can be. `URL` takes time that grows with the square
 * of its length if its letters are not ASCII: some 700,000 of them block the thread for a minute.
 */
const hasTooLongHost = (text: string): boolean => {
  // `URL` ignores control characters and blanks at the start, and tabs and line ends anywhere.
  const plain = text.replace(/^[\p{Cc} ]+/u, '').replace(/[\t\n\r]+/gu, '');
  const authority = AUTHORITY.exec(plain)?.[1] ?? '';
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  if (hostAndPort.length > LONGEST_HOST + LONGEST_PORT) return true;
  const host = hostAndPort.replace(/:\d*$/u, '');
  return host.length > LONGEST_HOST || host.split(DOTS).some((label) => label.length > LONGEST_LABEL);
};

/**
 * Returns the address in a text, resolved against a base if given; undefined when it holds none or its host name is too
 * long. Does not use `URL.canParse`: in Node 20 it refuses letters such as ü once it has been called often.
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  if (hasTooLongHost(text)) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
