import { derivedKey } from './derived-key.js';
import { type Sealer, sealer } from './sealer.js';

/** What is stored sealed, each under a key derived for it. */
export type SealedKind = 'host grants' | 'webhook secrets';

/** The sealer of a kind under the service's secret key. */
export const sealerOf = (secretKey: Uint8Array, kind: SealedKind): Sealer =>
  sealer([{ id: '1', key: derivedKey(secretKey, kind) }]);

/** The place of a person's approval at a host, or of the verifier while it is asked for. */
export const grantPlace = (kind: 'grant' | 'verifier', ownerId: string, host: string): string =>
  JSON.stringify([kind, ownerId, host]);

/** The place of a webhook's signing secret. */
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
