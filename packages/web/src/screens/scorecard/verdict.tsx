import type { ReadinessReport } from '@shipworthy/client';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { ScoreFigure } from '../../parts/score-figure.js';
import { DECISION_TITLES, gateText } from '../../wording/names.js';
import { coverageText } from '../../wording/numbers.js';

/** The answer in five seconds: the decision as a word, and the score with what it was measured on. */
export const Verdict = ({ report }: { readonly report: ReadinessReport }) => {
  const { gate, score, coverage, axes } = report;
  return (
    <section class={`verdict ${gate.decision}`} aria-label="Ship gate">
      <div class="verdict-mark">
        <Icon name={gate.decision} />
      </div>
      <div class="verdict-words">
        <p class="verdict-label">Ship gate</p>
        <p class="verdict-decision">{DECISION_TITLES[gate.decision]}</p>
        <p>{gateText(gate)}</p>
      </div>
      <div class="verdict-score">
        <p class="verdict-label">Readiness</p>
        <ScoreFigure score={score} coverage={coverage} covers={coverageText(axes)} look="verdict-number" />
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
