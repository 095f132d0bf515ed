import { CERTIFICATE_FAULTS, NetworkFault, type NetworkFaultKind } from './network.js';

/** The state of a step. */
export type StepState = 'ready' | 'needs_action' | 'could_not_check';

/** A step's answer in sentences; never holds a secret. */
export interface Finding {
  readonly state: StepState;
  readonly what: string;
  /** An exact command, or the place to go to. */
  readonly fix?: string | undefined;
  /** Where the value that was looked at comes from. */
  readonly source?: string | undefined;
}

type Rest = Pick<Finding, 'fix' | 'source'>;

export const readyFinding = (what: string, rest: Rest = {}): Finding => ({ state: 'ready', what, ...rest });

export const actionFinding = (what: string, fix: string, rest: Omit<Rest, 'fix'> = {}): Finding => ({
  state: 'needs_action',
  what,
  fix,
  ...rest,
});

export const uncheckedFinding = (what: string, fix?: string): Finding => ({ state: 'could_not_check', what, fix });

/** Thrown where a fact cannot be known before another step is ready. */
export class Unmet extends Error {
  override readonly name = 'Unmet';
  constructor(
    /** The id of that step. */
    readonly step: string,
  ) {
    super(`depends on ${step}`);
  }
}

/** Faults that last until a person mends them; the others may pass by themselves. */
const SETTLED: ReadonlySet<NetworkFaultKind> = new Set([
  ...CERTIFICATE_FAULTS,
  'name',
  'refused',
  'not_tls',
  'proxy',
  'proxy_sign_in',
]);

/** The advice that depends on what was contacted: the server or the repository host. */
export interface Fixes {
  /** The advice for a name that does not exist, a closed port, or a server without TLS. */
  readonly address: string;
  /** The advice for an authority that is not trusted. */
  readonly trust: string;
}

const fixOf = (kind: NetworkFaultKind, { address, trust }: Fixes): string => {
  if (kind === 'untrusted' || kind === 'self_signed') return trust;
  if (kind === 'expired') return 'The operator of that server has to renew its certificate; then check again.';
  if (kind === 'not_yet_valid')
    return "Set this machine's clock; if it is right, the operator of that server has to replace the certificate.";
  if (kind === 'proxy_sign_in')
    return 'Put user and password of the proxy into the variable that names it, or sign in at the proxy.';
  if (kind === 'proxy') return 'Correct the variable that names the proxy, or list the host in NO_PROXY.';
  if (kind === 'name' || kind === 'refused' || kind === 'not_tls' || kind === 'wrong_name') return address;
  return 'Check the network (VPN, proxy, firewall) and try again.';
};

/** What a fault of the network means for a step; undefined for any other error. */
export const networkFinding = (error: unknown, fixes: Fixes): Finding | undefined => {
  if (!(error instanceof NetworkFault)) return undefined;
  const fix = fixOf(error.kind, fixes);
  return SETTLED.has(error.kind) ? actionFinding(error.message, fix) : uncheckedFinding(error.message, fix);
};

/** Puts a word in single quotes, so that no character in it has a meaning for a shell. */
export const inQuotes = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * A word for a command that the user is to copy, quoted where needed: a name from a repository may hold anything, and
 * must not become a command of its own.
 */
export const asWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : inQuotes(word));

/** The first five names, and how many more there are. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
