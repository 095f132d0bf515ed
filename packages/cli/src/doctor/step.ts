import type { Examination } from './examination.js';
import type { Finding } from './finding.js';

/** One thing that is looked at. */
export interface Step {
  /** The group's id, a dot, and a name: stable. */
  readonly id: string;
  readonly title: string;
  /** Ids of the steps that must be ready before. */
  readonly after: readonly string[];
  /** Milliseconds. */
  readonly limitMs: number;
  /** What it throws becomes `could_not_check`. */
  readonly check: (examination: Examination, signal: AbortSignal) => Promise<Finding>;
  /** Whether its finding is only counted once it is asked for. */
  readonly onlyWhenAsked?: ((examination: Examination) => boolean) | undefined;
}

/** Steps that belong together. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
  /** Ids of steps; one of the sets that is ready makes the group ready, and nothing else in it counts then. */
  readonly options?: readonly (readonly string[])[];
}

/** What came of a step. */
export interface StepResult extends Finding {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Whether the verdict looks at it: not where another option is ready, nor where nobody asked for it. */
  readonly standing: 'counted' | 'not_needed' | 'not_asked';
}

/** What came of a group: its worst counted step. */
export interface GroupResult {
  readonly id: string;
  readonly title: string;
  readonly state: Finding['state'];
  readonly steps: readonly StepResult[];
}
