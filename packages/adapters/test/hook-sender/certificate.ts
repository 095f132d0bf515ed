import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BITS = 0x03;
const OCTETS = 0x04;
const OID = 0x06;
const TEXT = 0x0c;
const TIME = 0x18;

/** One element of DER. */
const der = (tag: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const oid = (hex: string): Buffer => der(OID, Buffer.from(hex, 'hex'));
const ZERO = Buffer.from([0]);
const YES = Buffer.from('0101ff', 'hex');
const ECDSA_SHA256 = der(SEQUENCE, oid('2a8648ce3d040302'));
const extension = (name: string, value: Buffer): Buffer => der(SEQUENCE, oid(name), der(OCTETS, value));

const pem = (label: string, bytes: Buffer): string => {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
};

/** A certificate for the host that is signed by its own key, as RFC 5280 writes it, with that key; both as PEM. */
export const selfSigned = (host: string): { readonly cert: string; readonly key: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, oid('550403'), der(TEXT, host))));
  const validity = der(SEQUENCE, der(TIME, '20200101000000Z'), der(TIME, '21200101000000Z'));
  const alternatives = extension('551d11', der(SEQUENCE, der(0x82, host)));
  const authority = extension('551d13', der(SEQUENCE, YES));
  const signed = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, alternatives, authority)),
  );
  const cert = der(SEQUENCE, signed, ECDSA_SHA256, der(BITS, ZERO, sign('sha256', signed, privateKey)));
  return { cert: pem('CERTIFICATE', cert), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
};
