import type { Fault } from '../errors.js';
import { AXES, type Axis, type PerAxis } from './axis.js';
import type { QualityFacts, SuiteRun } from './facts.js';
import { asFlag, asList, asMoment, asNumber, asObject, asOneOf, asText, orNull } from './read-as.js';
import type { GateDecision } from './readiness-report.js';
import type {
  VerdictFacts,
  VerdictPolicy,
  VerdictPredicate,
  VerdictResult,
  VerdictSource,
  VerdictWaiver,
} from './verdict-predicate.js';
import { REASON_CODES, WAIVABLE_CODES } from './waiver.js';

const asAxis = asOneOf<Axis>(AXES);
const asCode = asOneOf(REASON_CODES);
const asDecision = asOneOf<GateDecision>(['go', 'hold', 'unknown']);
const asShare = asObject({ done: asNumber, total: asNumber });
const asPerAxis = asObject<PerAxis<number>>({
  scope: asNumber,
  quality: asNumber,
  ops: asNumber,
  verification: asNumber,
  stability: asNumber,
});
const asOpenBugs = asObject<QualityFacts['open']>({
  critical: asNumber,
  major: asNumber,
  minor: asNumber,
  unspecified: asNumber,
});
const asSource = asObject<VerdictSource>({ last_at: asMoment, median_ms: orNull(asNumber) });

const asFacts = asObject<VerdictFacts>(
  {
    scope: asShare,
    quality: asObject<QualityFacts>({ resolved: asNumber, total: asNumber, open: asOpenBugs }),
    ops: asObject<VerdictFacts['ops']>({ done: asNumber, total: asNumber, open_items: asList(asText) }),
    verification: orNull(
      asObject<NonNullable<VerdictFacts['verification']>>(
        {
          passed: asNumber,
          total: asNumber,
          ran_at: asMoment,
          suite: orNull(asText),
          commit_sha: orNull(asText),
          runs: asNumber,
          worse_suite: orNull(asObject<SuiteRun>({ suite: orNull(asText), passed: asNumber, total: asNumber })),
        },
        ['worse_suite'],
      ),
    ),
    stability: asObject<VerdictFacts['stability']>({ succeeded: asNumber, failed: asNumber, in_progress: asNumber }),
    issues_as_of: orNull(asMoment),
    issues_pending: asFlag,
    test_run_set_aside: orNull(asObject<NonNullable<VerdictFacts['test_run_set_aside']>>({ suite: orNull(asText) })),
    sources: asObject<NonNullable<VerdictFacts['sources']>>({
      deployments: orNull(asSource),
      test_runs: orNull(asSource),
    }),
  },
  ['issues_as_of', 'issues_pending', 'test_run_set_aside', 'sources'],
);

const asPolicy = asObject<VerdictPolicy>(
  {
    weights: asPerAxis,
    threshold: asNumber,
    minimums: asPerAxis,
    required_axes: asList(asAxis),
    environments: orNull(asList(asText)),
    freshness_hours: orNull(asNumber),
    verification: asOneOf<VerdictPolicy['verification']>(['latest_run', 'latest_per_suite']),
    max_open_critical_bugs: orNull(asNumber),
    min_finished_deployments: asNumber,
    stability_bound: asOneOf<'rate' | 'upper_bound'>(['rate', 'upper_bound']),
    silence_hours: orNull(asNumber),
  },
  ['stability_bound', 'silence_hours'],
);

const asWaiver = asObject<VerdictWaiver>(
  {
    id: asText,
    code: asOneOf(WAIVABLE_CODES),
    axis: asAxis,
    text: asText,
    actual: orNull(asNumber),
    created_by: asText,
    created_at: asMoment,
    expires_at: asMoment,
    withdrawn_at: orNull(asMoment),
    withdrawn_by: orNull(asText),
  },
  ['axis'],
);

const asReason = asObject<VerdictResult['reasons'][number]>(
  {
    code: asCode,
    axis: asAxis,
    actual: orNull(asNumber),
    required: orNull(asNumber),
    message: asText,
    waived: asFlag,
  },
  ['axis'],
);

const asPredicate = asObject<VerdictPredicate>({
  formula: asText,
  release: asObject<VerdictPredicate['release']>({ id: asText }),
  as_of: asMoment,
  facts: asFacts,
  policy: asPolicy,
  waivers: asList(asWaiver),
  result: asObject<VerdictResult>({
    score: orNull(asNumber),
    coverage: asNumber,
    decision: asDecision,
    decision_without_waivers: asDecision,
    reasons: asList(asReason),
  }),
});

/** What was read: a copy of what the engine needs and of nothing else, or every fault of its structure. */
export type PredicateReading =
  | { readonly predicate: VerdictPredicate; readonly faults?: undefined }
  | { readonly predicate?: undefined; readonly faults: readonly Fault[] };

/** Reads a predicate from a value of any kind. Never throws, even where reading a member throws. */
export const readPredicate = (value: unknown): PredicateReading => {
  const faults: Fault[] = [];
  try {
    const predicate = asPredicate(value, '', faults);
    return faults.length === 0 ? { predicate } : { faults };
  } catch {
    return { faults: [{ pointer: '', code: 'wrong_kind', message: 'It cannot be read' }] };
  }
};
