export { derivedKey, ENOUGH_BITS, estimatedBits, sealer } from './secret-key.js';
export { isWellFormedApiKey, secrets } from './secrets.js';
export { type Cursors, cursors, DEVICE_KNOWN_FOR, type Devices, devices, type SignedDevice } from './signed-tokens.js';
export { uuidv7 } from './uuidv7.js';
export { isPublicKeyText, verdictPublicKey, verdictSigner } from './verdict-signer.js';
