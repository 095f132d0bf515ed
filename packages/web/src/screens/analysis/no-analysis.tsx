import { projectAddress, type ReleasePlace } from '../../navigation/places.js';
import { Empty, Panel } from '../../parts/page.js';
import { BugsFigure } from './bugs-figure.js';
import { EXAMPLE_POINTS, EXAMPLE_SCOPE } from './example.js';
import { ProgressFigure } from './progress-figure.js';
import { ScopeFigure } from './scope-figure.js';

const NAME = 'an example release';
const MARK = <span class="example-mark">Example</span>;

/** Before the first issue: what will be drawn here, on made-up numbers that say so. */
export const NoAnalysis = ({ place }: { readonly place: ReleasePlace }) => (
  <>
    <Empty title="Nothing to analyse yet">
      <p>
        The analysis is drawn from the release's issues: when each was added, done or left. What follows is an example
        with made-up numbers.
      </p>
      <a class="button" href={`${projectAddress(place)}/issues`}>
        Enter issues
      </a>
    </Empty>
    <div class="stack wide example">
      <Panel title="Progress" beside={MARK}>
        <ProgressFigure name={NAME} points={EXAMPLE_POINTS} />
      </Panel>
      <div class="two-ways">
        <Panel title="Scope change" beside={MARK}>
          <ScopeFigure name={NAME} points={EXAMPLE_POINTS} scope={EXAMPLE_SCOPE} />
        </Panel>
        <Panel title="Open bugs" beside={MARK}>
          <BugsFigure name={NAME} points={EXAMPLE_POINTS} />
        </Panel>
      </div>
    </div>
  </>
);
