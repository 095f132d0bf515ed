import type { ReadinessReport } from '@shipworthy/client';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { DECISION_MEANINGS, DECISION_TITLES } from '../../wording/names.js';
import { countOf, coverageText, scoreText } from '../../wording/numbers.js';

const WAIVED: Readonly<Record<string, string>> = { hold: 'hold', unknown: 'unknown' };

const Waived = ({ report }: { readonly report: ReadinessReport }) => {
  const { decision, decision_without_waivers: without, waivers } = report.gate;
  if (waivers.length === 0) return null;
  return (
    <p class="small">
      {without === decision
        ? `${countOf(waivers.length, 'waiver')} in force; the decision is the same without.`
        : `By ${countOf(waivers.length, 'waiver')}; without, the gate says ${WAIVED[without] ?? without}.`}
    </p>
  );
};

/** The answer in five seconds: the decision as a word, and the score with what it was measured on. */
export const Verdict = ({ report }: { readonly report: ReadinessReport }) => {
  const { gate, score, axes } = report;
  return (
    <section class={`verdict ${gate.decision}`} aria-label="Ship gate">
      <div class="verdict-mark">
        <Icon name={gate.decision} />
      </div>
      <div class="verdict-words">
        <p class="verdict-label">Ship gate</p>
        <p class="verdict-decision">{DECISION_TITLES[gate.decision]}</p>
        <p>{DECISION_MEANINGS[gate.decision]}</p>
        <Waived report={report} />
      </div>
      <div class="verdict-score">
        <p class="verdict-label">Readiness</p>
        <p class="verdict-number number">{score === null ? '–' : scoreText(score)}</p>
        <p class="small">{coverageText(axes)}</p>
        <p class="small">
          {report.frozen_at === undefined ? (
            <>
              last change <Moment at={report.as_of} />
            </>
          ) : (
            <>
              frozen <Moment at={report.frozen_at} />
            </>
          )}
        </p>
      </div>
    </section>
  );
};
