export { type Reseal, resealing, type Sealer, type SealingKey, sealer, sealerOf } from './sealer.js';
export { derivedKey, ENOUGH_BITS, estimatedBits, stretchedKey } from './secret-key.js';
export { isWellFormedApiKey, type ScryptCost, secrets } from './secrets.js';
export { type Cursors, cursors, DEVICE_KNOWN_FOR, type Devices, devices, type SignedDevice } from './signed-tokens.js';
export { uuidv7 } from './uuidv7.js';
export { isPublicKeyText, type VerdictSignerOptions, verdictPublicKey, verdictSigner } from './verdict-signer.js';
