import type { VerdictStatement } from '../contract/verdict.js';
import type { VerdictKeys } from '../contract/verdict-keys.js';
import { STATEMENT_MEDIA_TYPE } from '../contract/verdict-names.js';
import { isList, isRecord, type OpenedEnvelope, openEnvelope, signedBytes } from './envelope.js';
import { statementOf } from './statement.js';
import { malformed, VerdictError } from './verdict-error.js';

const ALGORITHM = 'Ed25519';
/** A public key as RFC 8037 writes it: 32 bytes in base64url. Some runtimes read other texts as one, too. */
const PUBLIC_KEY = /^[\w-]{43}$/;

/** A verdict that the holder of a given key signed. */
export interface VerifiedVerdict {
  readonly statement: VerdictStatement;
  /** Of the key that signed. */
  readonly keyid: string;
}

const unsupported = (): VerdictError =>
  new VerdictError('unsupported', 'This runtime cannot verify Ed25519, so nothing is known about the verdict.');

const cryptography = (): SubtleCrypto => {
  // Browsers leave it out on pages without a secure context.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) throw unsupported();
  return subtle;
};

/** What matters of a public key. */
interface GivenKey {
  readonly kid: unknown;
  readonly kty: unknown;
  readonly crv: unknown;
  readonly x: unknown;
}

const noKeys = (): VerdictError =>
  new VerdictError('unknown-key', 'No JWK Set was given, so nobody is known to have signed the verdict.');

/** Copies of the keys of a JWK Set; what is none is left out. @throws VerdictError `unknown-key` for what is no set */
const keysIn = (jwks: unknown): readonly GivenKey[] => {
  if (!isRecord(jwks) || !isList(jwks.keys)) throw noKeys();
  return jwks.keys.filter(isRecord).map(({ kid, kty, crv, x }) => ({ kid, kty, crv, x }));
};

/** Members of what is handed in may throw whatever they like when they are read. */
const reading = <Read>(read: () => Read, failure: () => VerdictError): Read => {
  try {
    return read();
  } catch (error) {
    throw error instanceof VerdictError ? error : failure();
  }
};

/** The key; undefined for one that is none of this kind. */
const importKey = async (subtle: SubtleCrypto, { kty, crv, x }: GivenKey) => {
  if (kty !== 'OKP' || crv !== ALGORITHM || typeof x !== 'string' || !PUBLIC_KEY.test(x)) return undefined;
  try {
    return await subtle.importKey('jwk', { kty, crv, x }, ALGORITHM, false, ['verify']);
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') throw unsupported();
    return undefined;
  }
};

/** The keys of that name, which is a hint only: what counts is whether one of the given keys verifies. */
const keysNamed = async (subtle: SubtleCrypto, keys: readonly GivenKey[], keyid: string): Promise<CryptoKey[]> => {
  const named = keys.filter(({ kid }) => kid === keyid);
  const imported = await Promise.all(named.map((key) => importKey(subtle, key)));
  return imported.filter((key) => key !== undefined);
};

const signerOf = async (opened: OpenedEnvelope, keys: readonly GivenKey[]): Promise<string> => {
  const subtle = cryptography();
  const bytes = signedBytes(opened);
  let known = false;
  for (const { keyid, sig } of opened.signatures)
    for (const key of await keysNamed(subtle, keys, keyid)) {
      known = true;
      if (await subtle.verify(ALGORITHM, key, sig, bytes)) return keyid;
    }
  if (known)
    throw new VerdictError('bad-signature', 'The verdict is not what was signed, or was signed by another key.');
  throw new VerdictError('unknown-key', 'None of the given keys is named by the verdict as its signer.');
};

/**
 * Verifies a signed verdict by public keys alone: no network, no service, no clock. What it answers is the signed text
 * read, nothing that stands beside it. Whether the verdict is about the right release and young enough (`subject`,
 * `issued_at`) is the caller's to decide; whether its result follows from its facts is told by `recomputeVerdict` of
 * `@shipworthy/domain/readiness`.
 *
 * Needs WebCrypto with Ed25519: Node 20 and later, current browsers.
 *
 * @param envelope the member `verdict` of the gate's answer, parsed
 * @param jwks a JWK Set that is trusted, as `GET /api/.well-known/shipworthy-keys` answers it
 * @throws VerdictError, and nothing else, whatever is handed in
 */
export const verifyVerdict = async (envelope: unknown, jwks: Pick<VerdictKeys, 'keys'>): Promise<VerifiedVerdict> => {
  const opened = reading(
    () => openEnvelope(envelope),
    () => malformed('it cannot be read'),
  );
  if (opened.payloadType !== STATEMENT_MEDIA_TYPE)
    throw new VerdictError('wrong-type', 'The envelope holds something else than an in-toto statement.');
  const keyid = await signerOf(
    opened,
    reading(() => keysIn(jwks), noKeys),
  );
  return { statement: statementOf(opened.payload), keyid };
};
