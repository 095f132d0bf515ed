export {
  type Cursors,
  cursors,
  DEVICE_KNOWN_FOR,
  type Devices,
  derivedKey,
  devices,
  ENOUGH_BITS,
  estimatedBits,
  type SignedDevice,
  sealer,
} from './secret-key.js';
export { isWellFormedApiKey, secrets } from './secrets.js';
export { uuidv7 } from './uuidv7.js';
export { isPublicKeyText, verdictPublicKey, verdictSigner } from './verdict-signer.js';
