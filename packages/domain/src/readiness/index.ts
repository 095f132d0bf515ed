export * from './assess-release.js';
export { wilsonInterval } from './axes/stability.js';
export { staleFrom } from './axes/verification.js';
export * from './axis.js';
export { basisFaults, factFaults, factsFit } from './basis.js';
export {
  NAMED_ITEMS,
  type OpsFacts,
  type OpsMark,
  type OpsRemoval,
  type QualityFacts,
  type ReleaseFacts,
  type ScopeFacts,
  type SourceFacts,
  type StabilityFacts,
  type SuiteRun,
  type VerificationFacts,
} from './facts.js';
export { summedTests } from './numbers.js';
export {
  axesOfPolicy,
  type CountingRules,
  DEFAULT_POLICY,
  limitMs,
  type Policy,
  type PolicyVersion,
  policyFaults,
  policyFits,
  recountedFacts,
  sameCounting,
  unfitPolicyFaults,
} from './policy.js';
export * from './report.js';
export * from './silent-source.js';
export * from './time-limits.js';
export {
  factsOfVerdict,
  policyOfVerdict,
  type Recomputation,
  recomputeVerdict,
  type VerdictFacts,
  type VerdictPolicy,
  type VerdictPredicate,
  type VerdictResult,
  type VerdictSource,
  type VerdictWaiver,
  waiverOfVerdict,
} from './verdict.js';
export {
  covers,
  isInForce,
  REASON_CODES,
  type ReasonCode,
  WAIVABLE_CODES,
  type WaivableCode,
  type Waiver,
} from './waiver.js';
export * from './what-if.js';
export * from './wire.js';
