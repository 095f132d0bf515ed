import type { Policy, ReadinessReport, Waiver, WhatIfRequest } from '@shipworthy/client';
import {
  changedPolicy,
  changesOfRequest,
  DEFAULT_POLICY,
  type Waiver as EngineWaiver,
  policyChangesOf,
  type ReleaseFacts,
  type WhatIf,
  whatIf,
} from '@shipworthy/domain/readiness';

const momentOrNull = (at: string | null): number | null => (at === null ? null : Date.parse(at));

const waiverOf = ({ axis, actual, ...waiver }: Waiver): EngineWaiver => ({
  id: waiver.id,
  releaseId: '',
  code: waiver.code,
  axis: axis ?? null,
  text: waiver.text,
  actual,
  createdBy: waiver.created_by,
  createdAt: Date.parse(waiver.created_at),
  expiresAt: Date.parse(waiver.expires_at),
  withdrawnAt: momentOrNull(waiver.withdrawn_at),
  withdrawnBy: waiver.withdrawn_by,
});

/** What a release is judged by, as it was read. */
export interface Known {
  readonly report: ReadinessReport;
  readonly policy: Policy;
  /** All of the release. */
  readonly waivers: readonly Waiver[];
}

/**
 * Judges in the browser, by the engine the server has, as of the moment since which the report reads as it does: so the
 * reader's own clock decides nothing.
 */
export const judge = ({ report, policy, waivers }: Known, facts: ReleaseFacts, request: WhatIfRequest): WhatIf =>
  whatIf(
    {
      facts,
      policy: changedPolicy(DEFAULT_POLICY, policyChangesOf(policy)),
      waivers: waivers.map(waiverOf),
      asOf: Date.parse(report.as_of),
    },
    changesOfRequest(request),
  );
