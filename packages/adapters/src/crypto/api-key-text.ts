import { randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'swk_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY_FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
/** The bytes below it fall evenly on the 62 characters; the others are thrown away, or some characters were likelier. */
const EVEN = 256 - (256 % ALPHABET.length);

/** Random base62 characters, each as likely as any other. `fill` puts random bytes into an array. */
export const randomBase62 = (length: number, fill: (bytes: Uint8Array) => void = randomFillSync): string => {
  let text = '';
  const bytes = new Uint8Array(length + 8);
  while (text.length < length) {
    fill(bytes);
    for (const byte of bytes) {
      if (byte < EVEN && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
};

/** CRC32 (IEEE 802.3) of the text's UTF-8 bytes as six base62 characters, most significant first, zeros in front. */
export const checksumOf = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
};

/** A new API key: `swk_`, 30 random base62 characters, 6 of checksum over all before. */
export const newApiKey = (): string => {
  const key = PREFIX + randomBase62(RANDOM_LENGTH);
  return key + checksumOf(key);
};

/** Whether a text can be an API key at all: tells a typing error from a key that is revoked or unknown. */
export const isWellFormedApiKey = (text: string): boolean =>
  KEY_FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
