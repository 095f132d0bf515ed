import {
  assessRelease,
  DEFAULT_POLICY,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '@shipworthy/domain/readiness';
import type { Verdict } from '@shipworthy/domain/use-cases';
import { ID } from './judged-release.js';

interface Given {
  readonly facts: ReleaseFacts;
  readonly commit: string | null;
  readonly policy?: Policy;
  readonly waivers?: readonly Waiver[];
  readonly asOf?: number;
  readonly releaseId?: string;
}

/** A live reading of a release that is about to be signed. */
export const verdictOf = ({
  facts,
  commit,
  policy = DEFAULT_POLICY,
  waivers = [],
  asOf = 1000,
  releaseId = ID,
}: Given): Verdict => ({
  readiness: {
    project: { id: ID, name: 'checkout' },
    release: {
      id: releaseId,
      projectId: ID,
      name: '2.4',
      state: 'active',
      startsAt: 0,
      targetAt: null,
      shippedAt: null,
      canceledAt: null,
      note: null,
      externalId: null,
      version: 1,
      createdAt: 0,
    },
    report: assessRelease(facts, policy, asOf, waivers),
    basis: { facts, policy: { policy, version: 3, changedAt: 0, changedBy: null }, waivers },
    frozenAt: null,
    revision: 1,
    until: null,
  },
  commit,
  evidence: { deployed: commit, tested: facts.verification?.commitSha ?? null },
  issuedAt: asOf + 1,
});
