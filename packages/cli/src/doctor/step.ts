import { type CredentialFacts, credentialFacts } from './credential-facts.js';
import type { Finding } from './finding.js';
import { type HttpsFacts, httpsFacts } from './https-facts.js';
import { type RepositoryFacts, repositoryFacts } from './repository-facts.js';
import { type ServerFacts, serverFacts } from './server-facts.js';
import type { Surroundings } from './surroundings.js';

/** One check of `shipworthy doctor`. */
export interface Step {
  /** The group's id, a dot, and a name: stable. */
  readonly id: string;
  readonly title: string;
  /** Ids of the steps that must be ready before. */
  readonly after: readonly string[];
  /** Milliseconds. */
  readonly limitMs: number;
  /** Checks the step; an error becomes `could_not_check`. */
  readonly check: (examination: Examination, signal: AbortSignal) => Promise<Finding>;
  /** Whether the step was asked for; only then its finding counts. Without it the finding always counts. */
  readonly onlyWhenAsked?: ((examination: Examination) => boolean) | undefined;
}

/** Steps that belong together. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
  /** Sets of step ids. Where all steps of one set are ready, the steps of the other sets do not count. */
  readonly options?: readonly (readonly string[])[];
}

/** The result of a step. */
export interface StepResult extends Finding {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Whether the verdict counts it: not when another option is ready, and not when the step was not asked for. */
  readonly relevance: 'counted' | 'not_needed' | 'not_asked';
}

/** The result of a group: as bad as its worst step of relevance `counted`. */
export interface GroupResult {
  readonly id: string;
  readonly title: string;
  readonly state: Finding['state'];
  readonly steps: readonly StepResult[];
}

/** The facts that the steps look at. Each fact is found out once, when a step first needs it. */
export interface Examination extends Surroundings {
  readonly server: ServerFacts;
  readonly repository: RepositoryFacts;
  readonly https: HttpsFacts;
  readonly credentials: CredentialFacts;
}

/** One call waits no longer than this. */
const MOST_MS = 10_000;

export const examine = (surroundings: Omit<Surroundings, 'callMs'>): Examination => {
  const where = { ...surroundings, callMs: Math.min(surroundings.globals.timeout * 1000, MOST_MS) };
  const server = serverFacts(where);
  const repository = repositoryFacts(where, server);
  const https = httpsFacts(where, repository);
  return { ...where, server, repository, https, credentials: credentialFacts(where, https, repository) };
};
