// The readiness engine by itself: synchronous and total, without clock, random numbers or any other part of the domain.

// Facts in, report out

export { type AssessOptions, assessRelease } from './assess-release.js';
export { type AxisDefinition, ownAxesFacts } from './axes/own.js';
export { AXES, type Axis, type AxisName, type PerAxis } from './axis.js';
export { basisFaults, factFaults } from './basis.js';
export { COUNTED_FROM, type CountedFrom, type ReleaseCounts } from './counted-axis.js';
export { createEngine, defineAxis, type Engine, type EngineFacts, FIVE_AXES } from './engine.js';
export {
  NAMED_ITEMS,
  type OpsFacts,
  type QualityFacts,
  type ReleaseFacts,
  type ReportedFacts,
  type ScopeFacts,
  type SourceFacts,
  type StabilityFacts,
  type VerificationFacts,
} from './facts.js';
export { judgeRelease } from './judge-release.js';
export { type Share, share, summedTests, unmeasured } from './numbers.js';
export { isOwnName, MOST_OWN_AXES, type OwnAxis, ownTitle } from './own-axis.js';
export {
  type CountingRules,
  DEFAULT_POLICY,
  type Policy,
  type PolicyVersion,
  policyFaults,
} from './policy.js';
export type {
  AxisReading,
  FrozenReport,
  Gate,
  GateDecision,
  NextStep,
  OwnAxisReading,
  ReadinessReport,
  Reason,
} from './report.js';
export { RHYTHM_RECORDS, type SilentSource, sourceFacts } from './silent-source.js';
export { nextTimeLimit } from './time-limits.js';
export { type WaivableCode, type Waiver, waiverStateOf } from './waiver.js';

// Other facts, other demands, and what differs between two reports

export {
  changedPolicy,
  difference,
  factsAfter,
  type PolicyPreview,
  previewPolicy,
  type RecordedRelease,
  type ReportBasis,
  type WhatIf,
  type WhatIfAnswer,
  type WhatIfChanges,
  whatIf,
} from './what-if.js';

// Signed verdicts, computed again

export { type Recomputation, recomputeVerdict, type VerdictPredicate } from './verdict.js';

// The form reports have in the interface

export { ownAxesForm, ownAxisOf, ownReadingForm, reportedForm } from './own-wire.js';
export {
  changesOfRequest,
  factsOfVerdict,
  gateForm,
  judgementForm,
  policyChangesOf,
  readingForm,
  reasonForm,
  silentSourceForm,
  verificationForm,
  waiverForm,
  waiverOfVerdict,
} from './wire.js';
