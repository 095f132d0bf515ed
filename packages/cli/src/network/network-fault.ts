/** What kept two machines from talking. */
export type NetworkFaultKind =
  | 'name'
  | 'no_resolver'
  | 'refused'
  | 'reset'
  | 'silent'
  | 'unreachable'
  | 'proxy'
  | 'proxy_sign_in'
  | 'untrusted'
  | 'self_signed'
  | 'expired'
  | 'not_yet_valid'
  | 'wrong_name'
  | 'not_tls'
  | 'other';

export class NetworkFault extends Error {
  override readonly name = 'NetworkFault';
  constructor(
    readonly kind: NetworkFaultKind,
    message: string,
  ) {
    super(message);
  }
}

const KINDS: Readonly<Record<string, NetworkFaultKind>> = {
  ENOTFOUND: 'name',
  EAI_AGAIN: 'no_resolver',
  EAI_FAIL: 'no_resolver',
  ENODATA: 'name',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'silent',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_name',
  EPROTO: 'not_tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not_tls',
};

/** Faults of which a certificate is the cause. */
export const CERTIFICATE_FAULTS: ReadonlySet<NetworkFaultKind> = new Set([
  'untrusted',
  'self_signed',
  'expired',
  'not_yet_valid',
  'wrong_name',
]);

/** Names what the platform says of a failed connection; `target` as in `forge.example:443`. */
export const networkFault = (error: unknown, target: string): NetworkFault => {
  if (error instanceof NetworkFault) return error;
  const { code = '', message = String(error) } = error as { readonly code?: string; readonly message?: string };
  const kind = KINDS[code] ?? (code.startsWith('ERR_SSL') ? 'not_tls' : 'other');
  const what: Readonly<Partial<Record<NetworkFaultKind, string>>> = {
    name: `The name in ${target} cannot be resolved`,
    no_resolver: `The name in ${target} cannot be looked up now`,
    refused: `${target} refuses connections`,
    reset: `${target} ended the connection`,
    silent: `${target} does not answer`,
    unreachable: `There is no way to ${target} from here`,
    self_signed: `The certificate of ${target} is self-signed`,
    untrusted: `The certificate of ${target} comes from an authority that is not trusted here`,
    expired: `The certificate of ${target} has expired`,
    not_yet_valid: `The certificate of ${target} is not valid yet`,
    wrong_name: `The certificate of ${target} is made out for another name`,
    not_tls: `${target} answers, but not by TLS`,
  };
  return new NetworkFault(kind, `${what[kind] ?? `${target}: ${message}`} (${code || 'no code'}).`);
};
