import type { ReadinessReport } from '@shipworthy/client';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Failure } from '../failure.js';
import { measuredAxes } from '../verdict/shown-score.js';
import type { Followed } from './follow-gate.js';

/** What happens when no server answers, and whether the gate is only tried out. */
export interface GateRules {
  readonly onUnavailable: 'hold' | 'go';
  readonly shadow: boolean;
}

/** Only the decision `go` ends with 0. */
const exitOfDecision = (decision: ReadinessReport['gate']['decision']): ExitCode => {
  if (decision === 'go') return EXIT.done;
  return decision === 'hold' ? EXIT.no : EXIT.unchecked;
};

/**
 * The exit code of a verdict, were the gate not in shadow. `onUnavailable` concerns only that nobody could be asked: once the
 * gate has answered something else than go, an outage that follows does not turn it into go.
 */
export const exitOfGate = ({ asked, unavailable, ranOut }: Followed, { onUnavailable }: GateRules): ExitCode => {
  if (unavailable !== undefined) return onUnavailable === 'go' && asked === undefined ? EXIT.done : unavailable.exit;
  const { decision } = asked.report.gate;
  return ranOut && decision !== 'go' ? EXIT.waited : exitOfDecision(decision);
};

const failureData = ({ code, message, requestId }: Failure) => ({ code, message, request_id: requestId });
const NO_VERDICT = { decision: null, score: null, coverage: null } as const;

/** What `--json` carries in shadow when the answer could not be read; `exit` is what the gate ends with outside of shadow. */
export const unreadableAnswerData = (failure: Failure, { shadow }: GateRules) => ({
  ...NO_VERDICT,
  unavailable: null,
  unreadable: failureData(failure),
  exit: failure.exit,
  shadow,
  waited_in_vain: false,
});

/** What `--json` carries. `decision` is null when nobody could be asked; `exit` is what the gate ends with outside of shadow. */
export const gateData = (followed: Followed, rules: GateRules) => {
  const { unavailable, ranOut } = followed;
  const told = { exit: exitOfGate(followed, rules), shadow: rules.shadow, waited_in_vain: ranOut };
  if (unavailable !== undefined)
    return { ...NO_VERDICT, unavailable: failureData(unavailable), unreadable: null, ...told };
  const { place, report } = followed.asked;
  const { gate, score, coverage, axes, project, release, as_of, frozen_at } = report;
  return {
    ...gate,
    score,
    coverage,
    axes: measuredAxes(axes),
    project,
    release,
    as_of,
    frozen_at: frozen_at ?? null,
    scorecard: place.scorecard,
    unavailable: null,
    unreadable: null,
    ...told,
  };
};
