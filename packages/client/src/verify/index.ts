export type {
  VerdictEnvelope,
  VerdictFacts,
  VerdictKeys,
  VerdictPredicate,
  VerdictStatement,
} from '../contract/verdict.js';
export { STATEMENT_MEDIA_TYPE, STATEMENT_TYPE, VERDICT_TYPE } from '../contract/verdict-names.js';
export { VerdictError, type VerdictErrorCode, type VerifiedVerdict, verifyVerdict } from './verify-verdict.js';
