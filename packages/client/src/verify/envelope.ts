import { bytesOfBase64 } from './base64.js';
import { malformed } from './verdict-error.js';

/** What stands in a DSSE envelope. Nothing of it is to be believed yet. */
export interface OpenedEnvelope {
  readonly payloadType: string;
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly signatures: readonly { readonly keyid: string; readonly sig: Uint8Array<ArrayBuffer> }[];
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** More signatures or keys than anybody has; what claims more is not gone through. */
const MOST = 1_000;

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length <= MOST;

/** A copy of what stands in an envelope. @throws VerdictError `malformed` */
export const openEnvelope = (envelope: unknown): OpenedEnvelope => {
  if (!isRecord(envelope)) throw malformed('it is no object');
  const { payloadType, payload, signatures } = envelope;
  if (typeof payloadType !== 'string' || typeof payload !== 'string') throw malformed('it holds no payload');
  if (!isList(signatures) || signatures.length === 0) throw malformed('nobody signed it');
  return {
    payloadType,
    payload: bytesOfBase64(payload, 'the payload'),
    // Not by map, which passes over holes and leaves them.
    signatures: Array.from(signatures, (signature) => {
      if (!isRecord(signature) || typeof signature.keyid !== 'string' || typeof signature.sig !== 'string')
        throw malformed('a signature names no key');
      return { keyid: signature.keyid, sig: bytesOfBase64(signature.sig, 'a signature') };
    }),
  };
};

/** The bytes that are signed: the pre-authentication encoding of DSSE v1. */
export const signedBytes = ({ payloadType, payload }: OpenedEnvelope): Uint8Array<ArrayBuffer> => {
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
