import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey } from './secret-key.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_LENGTH = 32;
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const FORM = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]+)$/;

/** A key and its name, which is written into what it seals: 1-64 letters, digits, `_`, `-`. */
interface SealingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Keeps secrets that have to be read again, such as the tokens of a repository host. */
interface Sealer {
  /** Seals a secret for one place (`context`: whose it is); it opens nowhere else. */
  seal(secret: string, context: string): string;
  /** The secret; undefined when the sealed text was changed, belongs to another context, or its key is no longer known. */
  unseal(sealed: string, context: string): string | undefined;
  /** Whether it was sealed with another key than the present one and ought to be sealed again. */
  isOutdated(sealed: string): boolean;
}

/**
 * AES-256-GCM with a random 96-bit nonce. The first key seals, all of them open: to rotate, put a new key in front, seal
 * again what is outdated, then drop the old one. RangeError for no key, a key of another length or an id that does not fit.
 */
export const sealer = (keys: readonly SealingKey[]): Sealer => {
  const [present] = keys;
  if (present === undefined) throw new RangeError('a sealer needs a key');
  for (const { id, key } of keys) {
    if (key.length !== KEY_LENGTH) throw new RangeError(`sealing key ${id} needs ${KEY_LENGTH} bytes`);
    if (!FORM.test(`${id}.x`)) throw new RangeError(`sealing key id ${id} needs 1-64 letters, digits, _ or -`);
  }
  const known = new Map(keys.map(({ id, key }) => [id, key]));
  if (known.size !== keys.length) throw new RangeError('two sealing keys have the same id');
  const bound = (id: string, context: string): Buffer => Buffer.from(JSON.stringify([id, context]), 'utf8');
  return {
    seal: (secret, context) => {
      const iv = randomBytes(IV_LENGTH);
      const cipher = createCipheriv(ALGORITHM, present.key, iv, { authTagLength: TAG_LENGTH });
      cipher.setAAD(bound(present.id, context));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${present.id}.${Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64url')}`;
    },
    unseal: (sealed, context) => {
      const [, id = '', body = ''] = FORM.exec(sealed) ?? [];
      const key = known.get(id);
      const bytes = Buffer.from(body, 'base64url');
      if (key === undefined || bytes.length < IV_LENGTH + TAG_LENGTH) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_LENGTH), { authTagLength: TAG_LENGTH });
      decipher.setAAD(bound(id, context));
      decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
      try {
        const text = [decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH)), decipher.final()];
        return Buffer.concat(text).toString('utf8');
      } catch {
        return undefined;
      }
    },
    isOutdated: (sealed) => !sealed.startsWith(`${present.id}.`),
  };
};

/** The kinds of sealed values, each with a key derived for it. */
type SealedKind = 'host grants' | 'webhook secrets';

/** The sealer of a kind under the service's secret key. */
export const sealerOf = (secretKey: Uint8Array, kind: SealedKind): Sealer =>
  sealer([{ id: '1', key: derivedKey(secretKey, kind) }]);

/** The context under which a person's approval at a host is sealed, or the verifier of an approval under way. */
export const grantPlace = (kind: 'grant' | 'verifier', ownerId: string, host: string): string =>
  JSON.stringify([kind, ownerId, host]);

/** The context under which a webhook's signing secret is sealed. */
export const webhookPlace = (webhookId: string): string => JSON.stringify(['webhook', webhookId]);

/** Seals again what opens under the former key only; null for anything else. */
export type Reseal = (kind: SealedKind, place: string, sealed: string) => string | null;

/** Moves sealed texts from one secret key to another. */
export const resealing = (formerKey: Uint8Array, presentKey: Uint8Array): Reseal => {
  const sealers = (secretKey: Uint8Array): Readonly<Record<SealedKind, Sealer>> => ({
    'host grants': sealerOf(secretKey, 'host grants'),
    'webhook secrets': sealerOf(secretKey, 'webhook secrets'),
  });
  const former = sealers(formerKey);
  const present = sealers(presentKey);
  return (kind, place, sealed) => {
    if (present[kind].unseal(sealed, place) !== undefined) return null;
    const text = former[kind].unseal(sealed, place);
    return text === undefined ? null : present[kind].seal(text, place);
  };
};
