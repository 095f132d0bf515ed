export type { VerdictEnvelope, VerdictFacts, VerdictPredicate, VerdictStatement } from '../contract/verdict.js';
export type { VerdictKeys } from '../contract/verdict-keys.js';
export { STATEMENT_MEDIA_TYPE, STATEMENT_TYPE, VERDICT_TYPE } from '../contract/verdict-names.js';
export { VerdictError, type VerdictErrorCode } from './verdict-error.js';
export { type VerifiedVerdict, verifyVerdict } from './verify-verdict.js';
