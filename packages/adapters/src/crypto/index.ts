export { isWellFormedApiKey } from './api-key-text.js';
export { type Cursors, cursors } from './cursors.js';
export { derivedKey } from './derived-key.js';
export type { ScryptCost } from './password-hash.js';
export { type Sealer, type SealingKey, sealer } from './sealer.js';
export { secrets } from './secrets.js';
export { uuidv7 } from './uuidv7.js';
export { isPublicKeyText } from './verdict-key.js';
export { type VerdictSignerOptions, verdictSigner } from './verdict-signer.js';
