import type { ReleaseAnalysis, ReleaseSummary } from '@shipworthy/client';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project.js';
import { useResource } from '../../api/resource.js';
import { isOffered } from '../../api/session.js';
import { useQuery } from '../../navigation/navigate.js';
import {
  BASE_PATH,
  HOME,
  inRelease,
  type ProjectPlace,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../navigation/places.js';
import { Choice } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { Empty, PageFrame, Panel, ProjectNav } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { dateText, longText } from '../../wording/moments.js';
import { BugsFigure, ProgressFigure, ScopeFigure, ScoreTrend } from './analysis-figures.js';
import { deploymentsText, EXAMPLE_POINTS, EXAMPLE_SCOPE, netText, shareText } from './analysis-words.js';
import '../../parts/records.css';
import './analysis.css';

/** How a release came to be what it is, beside the score and never in it. */
export const Analysis = () => {
  const { teamId = '', projectId = '', releaseId = '' } = useRoute().params;
  const place = { teamId, projectId, releaseId };
  const [query, change] = useQuery();
  const step = stepOf(query.step);
  const project = useProject(place);
  const analysis = useResource(releaseKey(place, `analysis/${step}`), async (signal) => {
    const { body } = await client.readAnalysis({ path: inRelease(place), query: { step }, signal });
    return body.data;
  });
  const app = project.state.value.value?.name;
  const release = analysis.state.value.value?.release.name;
  const name = app !== undefined && release !== undefined ? `${isolated(app)} ${isolated(release)}` : undefined;
  return (
    <PageFrame
      title={name ? `Analysis of ${name}` : analysis.state.value.fault && 'Analysis'}
      crumbs={
        app === undefined || release === undefined
          ? []
          : [
              ['Projects', HOME],
              [app, projectAddress(place)],
              [release, releaseAddress(place)],
            ]
      }
      lead="How the release came to be what it is. Nothing here is part of the readiness score."
      actions={
        <>
          <a class="button" href={tableAddress(place, 'progress', step)} download="progress.csv">
            Progress as CSV
          </a>
          <a class="button" href={tableAddress(place, 'releases', step)} download="releases.csv">
            Releases as CSV
          </a>
        </>
      }
    >
      {name || analysis.state.value.fault ? <ProjectNav place={place} /> : null}
      <Shown of={analysis} lines={8}>
        {(known) => (
          <div class="stack wide analysis">
            {known.points.every(({ total, added }) => total + added === 0) ? (
              <NoAnalysis place={place} />
            ) : (
              <Analysed
                analysis={known}
                place={place}
                name={name ?? isolated(known.release.name)}
                onStep={(chosen) => change({ step: chosen === 'day' ? '' : chosen })}
              />
            )}
          </div>
        )}
      </Shown>
    </PageFrame>
  );
};

type Step = ReleaseAnalysis['step'];

const stepOf = (text: string | undefined): Step => (text === 'week' || text === 'change' ? text : 'day');

const tableAddress = (place: ReleasePlace, table: 'progress' | 'releases', step: Step): string => {
  const { team_id, project_id, release_id } = inRelease(place);
  const query = new URLSearchParams({ table, step });
  return `${BASE_PATH}/api/teams/${team_id}/projects/${project_id}/releases/${release_id}/analysis.csv?${query}`;
};

const NAME = 'an example release';
const MARK = <span class="example-mark">Example</span>;

/** Shown before the first issue: what will be drawn here, with numbers marked as an example. */
const NoAnalysis = ({ place }: { readonly place: ReleasePlace }) => (
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

interface AnalysedProps {
  readonly analysis: ReleaseAnalysis;
  readonly place: ReleasePlace;
  /** The names of project and release. */
  readonly name: string;
  readonly onStep: (step: Step) => void;
}

const STEPS = [
  ['day', 'Day by day'],
  ['week', 'Week by week'],
  ['change', 'Every change'],
] as const satisfies readonly (readonly [Step, string])[];

/** How the release came to be what it is: drawn, said and compared. */
const Analysed = ({ analysis, place, name, onStep }: AnalysedProps) => {
  const { points, release, earlier, step, as_of } = analysis;
  return (
    <>
      <div class="filters">
        <Choice label="Interval" value={step} choices={STEPS} onValue={onStep} />
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
      {isOffered('history') ? (
        <Panel title="Score and what moved it">
          <ScoreTrend place={place} name={name} to={Date.parse(as_of)} />
        </Panel>
      ) : null}
    </>
  );
};

/** The time from the first deployment to the first successful one, and to shipping. */
const Lead = ({ release }: { readonly release: ReleaseSummary }) => {
  const { first_deployment_at, to_first_success_seconds, to_shipping_seconds } = release.lead;
  const { succeeded, failed } = release.deployments;
  if (first_deployment_at === null && succeeded + failed > 0)
    return <p class="soft">Not known: deployments of its window were removed for their age.</p>;
  if (first_deployment_at === null)
    return <p class="soft">No deployment of its window counts yet: the lead begins with the first one.</p>;
  return (
    <dl class="figures">
      <div>
        <dt>First deployment</dt>
        <dd>
          <Moment at={first_deployment_at} />
        </dd>
      </div>
      <div>
        <dt>To the first success</dt>
        <dd>{to_first_success_seconds === null ? 'not yet' : longText(to_first_success_seconds)}</dd>
      </div>
      <div>
        <dt>To shipping</dt>
        <dd>{to_shipping_seconds === null ? 'not yet' : longText(to_shipping_seconds)}</dd>
      </div>
      <div>
        <dt>Deployments</dt>
        <dd class="words">{deploymentsText(release.deployments)}</dd>
      </div>
    </dl>
  );
};

interface ComparisonProps {
  readonly release: ReleaseSummary;
  /** Newest first. */
  readonly earlier: readonly ReleaseSummary[];
  readonly place: ProjectPlace;
}

const HEADS = [
  'Release',
  'Shipped',
  { number: 'Took' },
  { number: 'Issues done' },
  { number: 'Scope change' },
  { number: 'Open bugs' },
  'Deployments',
  { number: 'First deployment to shipping' },
] as const;

/** This release beside those that shipped before it. */
const Comparison = ({ release, earlier, place }: ComparisonProps) =>
  earlier.length === 0 ? (
    <p class="soft">No release shipped before this one. Those that do are compared here, the last five of them.</p>
  ) : (
    <Table cards label="This release and earlier ones" heads={HEADS}>
      <Row release={release} address={undefined} />
      {earlier.map((one) => (
        <Row key={one.id} release={one} address={`${releaseAddress({ ...place, releaseId: one.id })}/analysis`} />
      ))}
    </Table>
  );

const Row = ({ release, address }: { readonly release: ReleaseSummary; readonly address: string | undefined }) => (
  <tr>
    <th scope="row" data-head="Release">
      {address === undefined ? (
        <>
          <bdi>{release.name}</bdi>
          <div class="small soft">this release</div>
        </>
      ) : (
        <a href={address}>{release.name}</a>
      )}
    </th>
    <td data-head="Shipped">
      {release.shipped_at === null ? <span class="soft">not yet</span> : dateText(release.shipped_at)}
    </td>
    <td data-head="Took" class="number">
      {lasting(release.duration_seconds)}
    </td>
    <td data-head="Issues done" class="number">
      {release.issues.done} of {release.issues.total}
    </td>
    <td data-head="Scope change" class="number">
      {scopeChange(release.scope)}
    </td>
    <td data-head="Open bugs" class="number">
      {release.bugs.open}
    </td>
    <td data-head="Deployments">{deploymentsText(release.deployments)}</td>
    <td data-head="To shipping" class="number">
      {lasting(release.lead.to_shipping_seconds)}
    </td>
  </tr>
);

const lasting = (seconds: number | null): string => (seconds === null ? '–' : longText(seconds));

const scopeChange = ({ after_start, change_rate }: ReleaseSummary['scope']): string => {
  if (after_start === null) return '–';
  return change_rate === null ? netText(after_start.net) : `${netText(after_start.net)} (${shareText(change_rate)})`;
};
