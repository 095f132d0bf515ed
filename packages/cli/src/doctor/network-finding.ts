import { CERTIFICATE_FAULTS, NetworkFault, type NetworkFaultKind } from '../network/network-fault.js';
import { couldNotCheck, type Finding, needsAction } from './finding.js';

/** Faults that say what is wrong; the others may pass by themselves. */
const SETTLED: ReadonlySet<NetworkFaultKind> = new Set([
  ...CERTIFICATE_FAULTS,
  'name',
  'refused',
  'not_tls',
  'proxy',
  'proxy_sign_in',
]);

/** How the fixes of a place differ. */
export interface Fixes {
  /** For a name that does not exist, a port nobody listens at, or something without TLS. */
  readonly address: string;
  /** For an authority that is not trusted. */
  readonly trust: string;
}

const fixOf = (kind: NetworkFaultKind, { address, trust }: Fixes): string => {
  if (kind === 'untrusted' || kind === 'self_signed') return trust;
  if (kind === 'expired') return 'Whoever runs that server has to renew its certificate; then check again.';
  if (kind === 'not_yet_valid')
    return "Set this machine's clock; if it is right, whoever runs that server has to replace the certificate.";
  if (kind === 'proxy_sign_in')
    return 'Put user and password of the proxy into the variable that names it, or sign in at the proxy.';
  if (kind === 'proxy') return 'Correct the variable that names the proxy, or list the host in NO_PROXY.';
  if (kind === 'name' || kind === 'refused' || kind === 'not_tls' || kind === 'wrong_name') return address;
  return 'Check the network (VPN, proxy, firewall) and try again.';
};

/** What a fault of the network means for a step; undefined when it was none. */
export const networkFinding = (error: unknown, fixes: Fixes): Finding | undefined => {
  if (!(error instanceof NetworkFault)) return undefined;
  const fix = fixOf(error.kind, fixes);
  return SETTLED.has(error.kind) ? needsAction(error.message, fix) : couldNotCheck(error.message, fix);
};
