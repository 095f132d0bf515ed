import { invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import { recountedFacts, sameCounting } from '../readiness/counting-rules.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import type { Policy } from '../readiness/policy.js';
import {
  changedPolicy,
  type ReportBasis,
  type WhatIfAnswer,
  type WhatIfChanges,
  whatIf,
} from '../readiness/what-if.js';
import type { Release } from '../release/release.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';
import { findDossier } from './find-dossier.js';
import type { ReleasePath } from './in-release.js';

export interface ReadWhatIf extends ReleasePath {
  readonly changes: WhatIfChanges;
}

/** The answer with whose it is. */
export interface WhatIfReading extends WhatIfAnswer {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Release;
}

/**
 * How a release would stand if some of its facts or demands were other ones: from now on, or once it shipped from what
 * was frozen then. Environments or a way to verify that are changed count its records anew. Role viewer.
 * @throws DomainError `not-found`, `invalid`
 */
export const readWhatIf =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async ({ changes, ...path }: ReadWhatIf): Promise<WhatIfReading> => {
    const dossier = await findDossier(stores, path);
    const { release, project } = dossier;
    const basis = await basisOf({ stores, clock }, dossier);
    const rules = changedPolicy(basis.policy, changes.policy ?? {});
    const [recounted] = sameCounting(basis.policy, rules) ? [] : await stores.facts.factsUnder([release.id], rules);
    const { answer, faults } = whatIf(basis, recounted ? withRecounted(basis, changes, recounted, rules) : changes);
    if (answer === null) throw invalid(faults);
    return { ...answer, project: { id: project.id, name: project.name }, release };
  };

const basisOf = async (
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { release, facts, policy, waivers }: ReleaseDossier,
): Promise<ReportBasis> => {
  const frozen = release.state === 'shipped' ? await stores.releases.frozen(release.id) : undefined;
  if (frozen === undefined) return { facts, policy: policy.policy, waivers, asOf: clock() };
  return { facts: frozen.facts, policy: frozen.policy.policy, waivers: frozen.waivers, asOf: frozen.frozenAt };
};

/** What is stated stands; what the changed policy counts otherwise comes from the records. */
const withRecounted = (
  { facts, policy }: ReportBasis,
  changes: WhatIfChanges,
  recounted: ReleaseFacts,
  rules: Policy,
): WhatIfChanges => {
  const { verification, stability } = recountedFacts(facts, policy, recounted, rules);
  return { ...changes, facts: { verification, stability, ...changes.facts } };
};
