/** The media type of an in-toto statement, as its specification names it for DSSE. */
export const STATEMENT_TYPE = 'application/vnd.in-toto+json';

/** What is really signed: "pre-authentication encoding" of DSSE v1, so that no type can be mistaken for another. */
export const preAuthenticationEncoding = (payloadType: string, payload: Uint8Array): Buffer => {
  const type = Buffer.from(payloadType, 'utf8');
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `, 'utf8'),
    type,
    Buffer.from(` ${payload.length} `, 'utf8'),
    payload,
  ]);
};

/** The envelope of one signature. `sign` signs the encoding. */
export const envelopeOf = <Type extends string>(
  payloadType: Type,
  text: string,
  keyid: string,
  sign: (bytes: Uint8Array) => Buffer,
): { payloadType: Type; payload: string; signatures: readonly { keyid: string; sig: string }[] } => {
  const payload = Buffer.from(text, 'utf8');
  const sig = sign(preAuthenticationEncoding(payloadType, payload)).toString('base64');
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid, sig }] };
};
