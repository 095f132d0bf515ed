import type { VerdictKeys, VerdictStatement } from '../contract/verdict.js';
import { STATEMENT_MEDIA_TYPE, STATEMENT_TYPE, VERDICT_TYPE } from '../contract/verdict-names.js';

export type {
  VerdictEnvelope,
  VerdictFacts,
  VerdictKeys,
  VerdictPredicate,
  VerdictStatement,
} from '../contract/verdict.js';
export { STATEMENT_MEDIA_TYPE, STATEMENT_TYPE, VERDICT_TYPE } from '../contract/verdict-names.js';

/** A verdict that the holder of a given key signed. */
export interface VerifiedVerdict {
  readonly statement: VerdictStatement;
  /** The id of the key that signed. */
  readonly keyid: string;
}

/**
 * Verifies a signed verdict by public keys alone: no network, no service, no clock. Returns only what was signed, parsed. The
 * caller checks that the verdict is about the right release and young enough (`subject`, `issued_at`); `recomputeVerdict` of
 * `@shipworthy/domain/readiness` checks that its result follows from its facts.
 *
 * Needs WebCrypto with Ed25519: Node 20 and later, current browsers.
 *
 * @param envelope the member `verdict` of the gate's answer, parsed
 * @param jwks a JWK Set that is trusted, as `GET /api/.well-known/shipworthy-keys` answers it
 * @throws VerdictError, and nothing else, for any input
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

/**
 * Why a verdict is not accepted. `malformed`: it is no envelope with a statement. `unknown-key`: it names none of the
 * given keys as its signer. `bad-signature`: the named key did not sign this content. `wrong-type`: it states something
 * else than a verdict. `unsupported`: this runtime has no Ed25519 (or, in a browser, the page has no secure context).
 */
export type VerdictErrorCode = 'malformed' | 'unknown-key' | 'bad-signature' | 'wrong-type' | 'unsupported';

/** A verdict that could not be verified. */
export class VerdictError extends Error {
  override readonly name = 'VerdictError';
  constructor(
    readonly code: VerdictErrorCode,
    message: string,
  ) {
    super(message);
  }
}

const malformed = (what: string): VerdictError => new VerdictError('malformed', `This is no verdict: ${what}.`);

const bytesOf = (binary: string): Uint8Array<ArrayBuffer> => Uint8Array.from(binary, (char) => char.charCodeAt(0));

/**
 * The bytes of base64: the letters of the standard and those for URLs, also mixed, and any number of `=` at the end. White space,
 * spare bits and anything else are refused.
 */
const bytesOfBase64 = (text: string, what: string): Uint8Array<ArrayBuffer> => {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  try {
    const binary = atob(standard);
    // `atob` ignores white space, and spare bits at the end.
    if (btoa(binary).replace(/=+$/, '') === standard) return bytesOf(binary);
  } catch {
    throw malformed(`${what} is not base64`);
  }
  throw malformed(`${what} is not base64`);
};

/** The content of a DSSE envelope, not verified yet. */
interface OpenedEnvelope {
  readonly payloadType: string;
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly signatures: readonly { readonly keyid: string; readonly sig: Uint8Array<ArrayBuffer> }[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Most signatures or keys that are read; a document with more is refused. */
const MOST = 1_000;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length <= MOST;

/** Copies the content of an envelope. @throws VerdictError `malformed` */
const openEnvelope = (envelope: unknown): OpenedEnvelope => {
  if (!isRecord(envelope)) throw malformed('it is no object');
  const { payloadType, payload, signatures } = envelope;
  if (typeof payloadType !== 'string' || typeof payload !== 'string') throw malformed('it holds no payload');
  if (!isList(signatures) || signatures.length === 0) throw malformed('it has no signature');
  return {
    payloadType,
    payload: bytesOfBase64(payload, 'the payload'),
    // Not by map, which skips holes of the array and keeps them.
    signatures: Array.from(signatures, (signature) => {
      if (!isRecord(signature) || typeof signature.keyid !== 'string' || typeof signature.sig !== 'string')
        throw malformed('a signature names no key');
      return { keyid: signature.keyid, sig: bytesOfBase64(signature.sig, 'a signature') };
    }),
  };
};

/** The bytes that are signed: the pre-authentication encoding of DSSE v1. */
const signedBytes = ({ payloadType, payload }: OpenedEnvelope): Uint8Array<ArrayBuffer> => {
  const text = new TextEncoder();
  const type = text.encode(payloadType);
  const parts = [text.encode(`DSSEv1 ${type.length} `), type, text.encode(` ${payload.length} `), payload];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

const OBJECTS = ['project', 'release', 'facts', 'policy', 'result'] as const;
const TEXTS = ['formula', 'as_of', 'issued_at', 'service_version'] as const;

const parsed = (payload: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw malformed('the payload is not JSON in UTF-8');
  }
};

const isPredicate = (value: unknown): boolean =>
  isRecord(value) &&
  OBJECTS.every((name) => isRecord(value[name])) &&
  TEXTS.every((name) => typeof value[name] === 'string') &&
  Array.isArray(value.waivers);

const isSubject = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one: unknown) => isRecord(one) && typeof one.name === 'string' && isRecord(one.digest));

/** The statement of a payload whose signature is verified. @throws VerdictError `wrong-type`, `malformed` */
const statementOf = (payload: Uint8Array): VerdictStatement => {
  const statement = parsed(payload);
  if (!isRecord(statement)) throw malformed('the payload is no object');
  const { _type, predicateType, subject, predicate } = statement;
  if (_type !== STATEMENT_TYPE) throw new VerdictError('wrong-type', 'What was signed is no in-toto statement.');
  if (predicateType !== VERDICT_TYPE) throw new VerdictError('wrong-type', 'What was signed is no verdict.');
  if (!isSubject(subject)) throw malformed('it is about nothing');
  if (!isPredicate(predicate)) throw malformed('members of its predicate are missing');
  // The service signs only documents of the contract; the checks above refuse foreign documents.
  return statement as unknown as VerdictStatement;
};

const ALGORITHM = 'Ed25519';
/** A public key as RFC 8037 writes it: 32 bytes in base64url. Some runtimes read other texts as one, too. */
const PUBLIC_KEY = /^[\w-]{43}$/;

const unsupported = (): VerdictError =>
  new VerdictError('unsupported', 'This runtime cannot verify Ed25519, so nothing is known about the verdict.');

const cryptography = (): SubtleCrypto => {
  // Browsers leave it out on pages without a secure context.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) throw unsupported();
  return subtle;
};

/** The members of a public key that are used. */
interface GivenKey {
  readonly kid: unknown;
  readonly kty: unknown;
  readonly crv: unknown;
  readonly x: unknown;
}

const noKeys = (): VerdictError =>
  new VerdictError('unknown-key', 'No JWK Set was given, so the signer of the verdict is unknown.');

/** Copies the keys of a JWK Set; leaves out what is no object. @throws VerdictError `unknown-key` if it is no set */
const keysIn = (jwks: unknown): readonly GivenKey[] => {
  if (!isRecord(jwks) || !isList(jwks.keys)) throw noKeys();
  return jwks.keys.filter(isRecord).map(({ kid, kty, crv, x }) => ({ kid, kty, crv, x }));
};

/** Reads from the input and turns any error into a VerdictError: a getter of the input may throw one. */
const reading = <Read>(read: () => Read, failure: () => VerdictError): Read => {
  try {
    return read();
  } catch (error) {
    throw error instanceof VerdictError ? error : failure();
  }
};

/** Imports a key; undefined if it is no Ed25519 public key. */
const importKey = async (subtle: SubtleCrypto, { kty, crv, x }: GivenKey) => {
  if (kty !== 'OKP' || crv !== ALGORITHM || typeof x !== 'string' || !PUBLIC_KEY.test(x)) return undefined;
  try {
    return await subtle.importKey('jwk', { kty, crv, x }, ALGORITHM, false, ['verify']);
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') throw unsupported();
    return undefined;
  }
};

/** Imports the keys with this id. The id is only a hint: what counts is whether one of the keys verifies. */
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
