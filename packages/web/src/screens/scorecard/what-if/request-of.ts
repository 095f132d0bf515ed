import type { WhatIfRequest } from '@shipworthy/client';
import type { QualityFacts, ReleaseFacts } from '@shipworthy/domain/readiness';
import type { Amounts } from './supposed.js';

type Demands = NonNullable<WhatIfRequest['policy']>;

/** Beyond the critical ones, the least severe are resolved first, since nothing says otherwise; reopened ones have no severity. */
const openAfter = ({ resolved, open }: QualityFacts, now: Amounts): QualityFacts['open'] => {
  let rest = now.resolved - resolved - now.critical;
  const take = (count: number): number => {
    const taken = Math.min(count, Math.max(0, rest));
    rest -= taken;
    return count - taken;
  };
  const [unspecified, minor, major] = [take(open.unspecified), take(open.minor), take(open.major)];
  return { critical: open.critical - now.critical, major, minor, unspecified: unspecified + Math.max(0, -rest) };
};

/**
 * What is asked of the engine, in the form the interface takes: only what differs from the release as it is. A test run
 * that is supposed ran at `asOf`, an RFC 3339 moment.
 */
export const requestOf = (facts: ReleaseFacts, now: Amounts, policy: Demands, asOf: string): WhatIfRequest => {
  const { scope, quality, ops, verification, stability } = facts;
  const runMoved = now.passed !== (verification?.passed ?? 0) || now.tests !== (verification?.total ?? 0);
  return {
    facts: {
      ...(now.done === scope.done ? {} : { scope: { done: now.done, total: scope.total } }),
      ...(now.resolved === quality.resolved && now.critical === 0
        ? {}
        : { quality: { resolved: now.resolved, total: quality.total, open: openAfter(quality, now) } }),
      ...(now.items === ops.done ? {} : { ops: { done: now.items, total: ops.total } }),
      ...(runMoved ? { verification: { passed: now.passed, total: now.tests, ran_at: asOf } } : {}),
      ...(now.succeeded === stability.succeeded && now.failed === stability.failed
        ? {}
        : { stability: { succeeded: now.succeeded, failed: now.failed, in_progress: stability.inProgress } }),
    },
    policy,
  };
};
