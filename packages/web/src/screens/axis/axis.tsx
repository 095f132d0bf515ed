import { useRoute } from 'preact-iso';
import { useResource } from '../../api/resource.js';
import {
  axisAddress,
  HOME,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../navigation/places.js';
import { Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Tabs } from '../../parts/tabs.js';
import { momentText } from '../../wording/moments.js';
import { AXES, AXIS_TITLES, type AxisName } from '../../wording/names.js';
import { countOf } from '../../wording/numbers.js';
import { Lost } from '../lost.js';
import { readScorecard, type Scored } from '../scorecard/read-scorecard.js';
import { SilentSources } from '../scorecard/silent-sources.js';
import './axis.css';
import { FailureRate } from './failure-rate.js';
import { Formula } from './formula.js';
import { AxisRows } from './rows.js';

/** Where the records of an axis are changed, or all of them are listed. */
const WORKPLACES: Readonly<Record<AxisName, readonly [title: string, address: (place: ReleasePlace) => string]>> = {
  scope: ['Issues', (place) => `${projectAddress(place)}/issues`],
  quality: ['Issues', (place) => `${projectAddress(place)}/issues`],
  ops: ['Launch checklist', (place) => `${releaseAddress(place)}/checklist`],
  verification: ['All test runs', (place) => `${projectAddress(place)}/test-runs`],
  stability: ['All deployments', (place) => `${projectAddress(place)}/deployments`],
};
const SOURCES = { deployments: 'stability', test_runs: 'verification' } as const;

interface OpenedProps {
  readonly axis: AxisName;
  readonly place: ReleasePlace;
}

const Body = ({ scored, axis, place }: OpenedProps & { readonly scored: Scored }) => {
  const { report, policy } = scored;
  const reading = report.axes.find((each) => each.axis === axis);
  if (reading === undefined) return null;
  return (
    <div class="stack wide">
      {report.frozen_at === undefined ? null : (
        <Notice look="good">
          <p>
            The numbers are those the release shipped with on {momentText(report.frozen_at)}; the rows are as they are
            now.
          </p>
        </Notice>
      )}
      <SilentSources
        sources={report.silent_sources.filter(({ source }) => SOURCES[source] === axis)}
        isPast={report.frozen_at !== undefined}
      />
      <Formula scored={scored} reading={reading} />
      {reading.axis === 'stability' && reading.facts !== undefined ? (
        <>
          <FailureRate facts={reading.facts} minimum={policy.minimums.stability} />
          {reading.facts.in_progress === 0 ? null : (
            <p>{countOf(reading.facts.in_progress, 'deployment')} in progress: counted as soon as finished.</p>
          )}
        </>
      ) : null}
      <AxisRows axis={axis} scored={scored} place={place} />
    </div>
  );
};

const Opened = ({ axis, place }: OpenedProps) => {
  const card = useResource(releaseKey(place, 'scorecard'), (signal) => readScorecard(place, false, signal));
  const { value, fault } = card.state.value;
  const report = value?.report;
  const [workplace, workplaceAddress] = WORKPLACES[axis];
  return (
    <Page
      title={report || fault ? AXIS_TITLES[axis] : undefined}
      crumbs={[
        ['Projects', HOME],
        ...(report
          ? ([
              [report.project.name, projectAddress(place)],
              [report.release.name, releaseAddress(place)],
            ] as const)
          : []),
      ]}
      actions={
        report && (
          <a class="button" href={workplaceAddress(place)}>
            {workplace}
          </a>
        )
      }
    >
      <Tabs label="The five axes" places={AXES.map((each) => [AXIS_TITLES[each], axisAddress(place, each)] as const)} />
      <Shown of={card}>{(scored) => <Body scored={scored} axis={axis} place={place} />}</Shown>
    </Page>
  );
};

/** One axis of a release: how it is counted, and the records it is counted from. */
export const Axis = () => {
  const { teamId = '', projectId = '', releaseId = '', axis } = useRoute().params;
  const known = AXES.find((each) => each === axis);
  return known === undefined ? <Lost /> : <Opened key={known} axis={known} place={{ teamId, projectId, releaseId }} />;
};
