import type { WhatIfAnswer } from '@shipworthy/domain/readiness';
import { DecisionBadge } from '../../../parts/decision-badge.js';
import { Icon } from '../../../parts/icon.js';
import { ScoreFigure } from '../../../parts/score-figure.js';
import { DECISION_TITLES, waivedText } from '../../../wording/names.js';
import { countOf, coverageText, scoreText } from '../../../wording/numbers.js';

const differenceText = (from: number | null, to: number | null): string => {
  if (from === null || to === null) return '';
  // The scores have two decimals; so has their difference.
  const hundredths = Math.round(to * 100) - Math.round(from * 100);
  if (hundredths === 0) return '';
  return `${hundredths > 0 ? '+' : '−'}${scoreText(Math.abs(hundredths) / 100)}`;
};

/** On narrow screens it stays in sight while numbers are moved, and must not fill them. */
const isRoomy = (): boolean => matchMedia('(min-width: 52rem)').matches;

/** How the release would stand. Set apart from how it stands, by its words, its border and its place. */
export const Outcome = ({ answer: { report, before } }: { readonly answer: WhatIfAnswer }) => {
  const { gate, score, coverage, axes } = report;
  const open = gate.reasons.filter(({ waived }) => !waived);
  return (
    <section class="outcome" aria-label="What if: how it would stand">
      <p class="outcome-label">Only supposed. Nothing is changed by it.</p>
      <p class="row">
        <DecisionBadge decision={gate.decision} />
        <span class="small soft">
          {gate.decision === before.decision ? 'as now' : `now ${DECISION_TITLES[before.decision].toLowerCase()}`}
        </span>
      </p>
      <ScoreFigure
        score={score}
        coverage={coverage}
        covers={coverageText(axes)}
        look="outcome-score"
        beside={differenceText(before.score, score)}
      />
      {gate.waivers.length === 0 ? null : (
        <p>{waivedText(gate.decision, gate.decisionWithoutWaivers, gate.waivers.length)}</p>
      )}
      <p class="unseen" role="status">
        What if: {DECISION_TITLES[gate.decision]}, score {score === null ? 'none' : scoreText(score)}.
      </p>
      {open.length === 0 ? (
        <p>{gate.waivers.length === 0 ? 'Nothing would stand in the way.' : 'What is left is waived.'}</p>
      ) : (
        <details open={isRoomy()}>
          <summary>{countOf(open.length, 'reason')} would stand in the way</summary>
          <ul class="lines small">
            {open.map(({ code, axis, actual, message }) => (
              <li key={`${code} ${axis ?? ''}`} class={actual === null ? 'unknown' : undefined}>
                <Icon name={actual === null ? 'unknown' : 'bad'} />
                <span>{message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
};
