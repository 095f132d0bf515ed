/** What a step answers. */
export type StepState = 'ready' | 'needs_action' | 'could_not_check';

/** A step's answer in sentences; never holds a secret. */
export interface Finding {
  readonly state: StepState;
  readonly what: string;
  /** An exact command, or the place to go to. */
  readonly fix?: string | undefined;
  /** Where what was looked at comes from. */
  readonly source?: string | undefined;
}

type Rest = Pick<Finding, 'fix' | 'source'>;

export const ready = (what: string, rest: Rest = {}): Finding => ({ state: 'ready', what, ...rest });

export const needsAction = (what: string, fix: string, rest: Omit<Rest, 'fix'> = {}): Finding => ({
  state: 'needs_action',
  what,
  fix,
  ...rest,
});

export const couldNotCheck = (what: string, fix?: string): Finding => ({ state: 'could_not_check', what, fix });

/** Thrown by what cannot be known before another step is ready. */
export class Unmet extends Error {
  override readonly name = 'Unmet';
  constructor(
    /** The id of that step. */
    readonly step: string,
  ) {
    super(`depends on ${step}`);
  }
}
