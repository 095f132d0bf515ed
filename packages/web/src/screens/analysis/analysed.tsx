import type { ReleaseAnalysis } from '@shipworthy/client';
import type { ReleasePlace } from '../../navigation/places.js';
import { Choice } from '../../parts/field.js';
import { Panel } from '../../parts/page.js';
import { BugsFigure } from './bugs-figure.js';
import { Comparison } from './comparison.js';
import { Lead } from './lead.js';
import { ProgressFigure } from './progress-figure.js';
import { ScopeFigure } from './scope-figure.js';
import { ScoreCourse } from './score-course.js';

export type Step = ReleaseAnalysis['step'];

const STEPS = [
  ['day', 'Day by day'],
  ['week', 'Week by week'],
  ['change', 'Every change'],
] as const satisfies readonly (readonly [Step, string])[];

interface AnalysedProps {
  readonly analysis: ReleaseAnalysis;
  readonly place: ReleasePlace;
  /** Of project and release. */
  readonly name: string;
  readonly onStep: (step: Step) => void;
}

/** How the release came to be what it is: drawn, said and compared. */
export const Analysed = ({ analysis, place, name, onStep }: AnalysedProps) => {
  const { points, release, earlier, step, as_of } = analysis;
  return (
    <>
      <div class="filters">
        <Choice label="Drawn" value={step} choices={STEPS} onValue={onStep} />
      </div>
      <Panel title="Progress">
        <ProgressFigure name={name} points={points} />
      </Panel>
      <div class="two-ways">
        <Panel title="Scope change">
          <ScopeFigure name={name} points={points} scope={release.scope} />
        </Panel>
        <Panel title="Open bugs">
          <BugsFigure name={name} points={points} />
        </Panel>
      </div>
      <Panel title="Lead from the first deployment">
        <Lead release={release} />
      </Panel>
      <Panel title="Compared with earlier releases">
        <Comparison release={release} earlier={earlier} place={place} />
      </Panel>
      <Panel title="Score and what moved it">
        <ScoreCourse place={place} name={name} to={Date.parse(as_of)} />
      </Panel>
    </>
  );
};
