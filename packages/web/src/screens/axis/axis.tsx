import type { AxisReading, ReadinessReport } from '@shipworthy/client';
import type { Axis } from '@shipworthy/domain/readiness';
import { useRoute } from 'preact-iso';
import { useResource } from '../../api/resource.js';
import { ChartFigure } from '../../charts/chart-figure.js';
import { linearScale } from '../../charts/scales.js';
import {
  axisAddress,
  HOME,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { ExportCsv } from '../../parts/list-filter.js';
import { Notice } from '../../parts/notice.js';
import { PageFrame, PageNotFound, Panel, ProjectNav, Tabs } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { withIsolatedNames } from '../../wording/isolate.js';
import { momentText } from '../../wording/moments.js';
import {
  type AnyReading,
  AXES_IN_ORDER,
  AXIS_TITLES,
  axisTitleOf,
  countedAxis,
  readingsOf,
  readingTitle,
} from '../../wording/names.js';
import { countOf, failureRateText, scoreDigits } from '../../wording/numbers.js';
import { readScorecard, type Scored, SilentSources } from '../scorecard/read-scorecard.js';
import { AxisRows } from './axis-rows.js';
import { arithmeticOf, askedText, ruleOf, weightText } from './formula-words.js';
import './axis.css';

/** One axis of a release: how it is counted, and the records it is counted from. */
export const AxisScreen = () => {
  const { teamId = '', projectId = '', releaseId = '', axis } = useRoute().params;
  return axis === undefined || !/^[a-z][a-z0-9_]{1,39}$/.test(axis) ? (
    <PageNotFound />
  ) : (
    <Opened key={axis} axis={axis} place={{ teamId, projectId, releaseId }} />
  );
};

interface OpenedProps {
  /** One of the five, or an own one. */
  readonly axis: string;
  readonly place: ReleasePlace;
}

const isOfFive = (axis: string): axis is Axis => AXES_IN_ORDER.some((each) => each === axis);

/** All axes with title and name; the own ones only once the report is known. */
const axesOf = (report: ReadinessReport | undefined): readonly (readonly [title: string, axis: string])[] =>
  report === undefined
    ? AXES_IN_ORDER.map((each) => [AXIS_TITLES[each], each] as const)
    : readingsOf(report).map((each) => [readingTitle(each), each.axis] as const);

/** Where the records of an axis are changed, or all of them are listed. */
const WORKPLACES: Readonly<Record<Axis, readonly [title: string, address: (place: ReleasePlace) => string]>> = {
  scope: ['Issues', (place) => `${projectAddress(place)}/issues`],
  quality: ['Issues', (place) => `${projectAddress(place)}/issues`],
  ops: ['Launch checklist', (place) => `${releaseAddress(place)}/checklist`],
  verification: ['All test runs', (place) => `${projectAddress(place)}/test-runs`],
  stability: ['All deployments', (place) => `${projectAddress(place)}/deployments`],
};
const SOURCES = { deployments: 'stability', test_runs: 'verification' } as const;

/** The one of the five whose records are listed under an axis; for an own axis that is reported, its own name. */
const kindOf = (axis: string, reading: AnyReading | undefined): string =>
  (reading && countedAxis(reading)?.recordsOf) ?? axis;

const Opened = ({ axis, place }: OpenedProps) => {
  const card = useResource(releaseKey(place, 'scorecard'), (signal) => readScorecard(place, false, signal));
  const { value, fault } = card.state.value;
  const report = value?.report;
  const reading = report && readingsOf(report).find((each) => each.axis === axis);
  const kind = kindOf(axis, reading);
  const [workplace, workplaceAddress] = isOfFive(kind) ? WORKPLACES[kind] : [];
  const axes = axesOf(report);
  const title = axes.find(([, each]) => each === axis)?.[0] ?? axisTitleOf(axis);
  if (report !== undefined && !axes.some(([, each]) => each === axis)) return <PageNotFound />;
  return (
    <PageFrame
      title={report || fault ? title : undefined}
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
          <>
            <ExportCsv place={place} file={`readiness/${axis}/rows.csv`} />
            {workplaceAddress === undefined ? null : (
              <a class="button" href={workplaceAddress(place)}>
                {workplace}
              </a>
            )}
          </>
        )
      }
    >
      <ProjectNav place={place} />
      <Tabs
        label={report?.own_axes === undefined ? 'The five axes' : 'The axes'}
        places={axes.map(([name, each]) => [name, axisAddress(place, each)] as const)}
      />
      <Shown of={card}>{(scored) => <Body scored={scored} axis={axis} place={place} />}</Shown>
    </PageFrame>
  );
};

const Body = ({ scored, axis, place }: OpenedProps & { readonly scored: Scored }) => {
  const { report, policy } = scored;
  const reading = readingsOf(report).find((each) => each.axis === axis);
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
      {!('title' in reading) && reading.axis === 'stability' && reading.facts !== undefined ? (
        <>
          <FailureRate facts={reading.facts} minimum={policy.minimums.stability} />
          {reading.facts.in_progress === 0 ? null : (
            <p>{countOf(reading.facts.in_progress, 'deployment')} in progress: counted as soon as finished.</p>
          )}
        </>
      ) : null}
      <AxisRows axis={axis} kind={kindOf(axis, reading)} scored={scored} place={place} />
    </div>
  );
};

/** How the axis is counted, with its numbers, what it weighs, and what the gate asks of it. */
const Formula = ({ scored, reading }: { readonly scored: Scored; readonly reading: AnyReading }) => {
  const { report, policy } = scored;
  const arithmetic = arithmeticOf(reading);
  const open = severities(reading);
  const reasons = report.gate.reasons.filter(({ axis }) => axis === reading.axis);
  return (
    <Panel title="How it is counted">
      <div class="formula">
        <p class={reading.state === 'measured' ? 'axis-score number' : 'axis-score unmeasured'}>
          {reading.state === 'measured' ? scoreDigits(reading.score) : 'Not measured'}
        </p>
        <div class="stack">
          <p>{ruleOf(reading)}</p>
          {arithmetic === undefined ? null : <p class="arithmetic number">{arithmetic}</p>}
          <p>{withIsolatedNames(reading.explanation)}.</p>
          {open === '' ? null : <p>Still open: {open}.</p>}
          <p class="soft">{weightText(report, reading)}</p>
          {report.frozen_at !== undefined || reading.weight === 0 ? null : (
            <p class="soft">{askedText('title' in reading ? reading.minimum : policy.minimums[reading.axis])}</p>
          )}
          {reasons.length === 0 ? null : (
            <ul class="lines">
              {reasons.map((reason) => (
                <li key={reason.code} class={reason.waived ? 'waived' : reason.actual === null ? 'unknown' : undefined}>
                  <Icon name={reason.waived ? 'not_applicable' : reason.actual === null ? 'unknown' : 'bad'} />
                  <span>
                    {withIsolatedNames(reason.message)}
                    {reason.waived ? ' ' : null}
                    {reason.waived ? <span class="tag">waived</span> : null}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Panel>
  );
};

const severities = (reading: AnyReading): string => {
  if ('title' in reading || reading.axis !== 'quality' || reading.facts === undefined) return '';
  const { critical, major, minor, unspecified } = reading.facts.open;
  // The explanation names the critical ones already.
  if (major + minor + unspecified === 0) return '';
  const named = [
    [critical, 'critical'],
    [major, 'major'],
    [minor, 'minor'],
    [unspecified, 'without a severity'],
  ] as const;
  return named
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(', ');
};

type Facts = NonNullable<Extract<AxisReading, { readonly axis: 'stability' }>['facts']>;

const HEIGHT = 64;
const SIDE_MARGIN = 18;
const MIDDLE = 20;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** The change failure rate, its 95 % interval, and what the gate allows. */
const FailureRate = ({ facts, minimum }: { readonly facts: Facts; readonly minimum: number }) => {
  const { change_failure_rate: rate, interval, failed, succeeded } = facts;
  if (rate === null || interval === null) return null;
  // Rounded outwards: the interval never looks narrower than it is.
  const low = `${(Math.floor(interval.low * 1000) / 10).toFixed(1)} %`;
  const high = failureRateText(interval.high);
  const finished = countOf(succeeded + failed, 'finished deployment');
  const allowed = 1 - minimum / 100;
  const rows = [
    ['Measured', failureRateText(rate)],
    ['At least', low],
    ['At most', high],
    ['The gate allows', failureRateText(allowed)],
  ] as const;
  return (
    <Panel title={`Change failure rate ${failureRateText(rate)}`}>
      <ChartFigure
        title="Change failure rate and its 95 % interval"
        summary={`${failed} of ${finished} failed. 95 % confidence interval: ${low} to ${high}. The gate allows ${failureRateText(allowed)} (dashed).`}
        height={HEIGHT}
        draw={draw(rate, interval.low, interval.high, allowed)}
        table={(label) => (
          <Table cards label={label} heads={['Rate', { number: 'Of finished deployments' }]}>
            {rows.map(([name, text]) => (
              <tr key={name}>
                <th scope="row" data-head="Rate">
                  {name}
                </th>
                <td class="number" data-head="Of finished">
                  {text}
                </td>
              </tr>
            ))}
          </Table>
        )}
      />
    </Panel>
  );
};

const draw = (rate: number, low: number, high: number, allowed: number) => (width: number) => {
  const x = linearScale([0, 1], [SIDE_MARGIN, width - SIDE_MARGIN]);
  return (
    <>
      <line class="chart-grid" x1={x(0)} x2={x(1)} y1={MIDDLE} y2={MIDDLE} />
      {TICKS.map((tick) => (
        <text key={tick} class="chart-text" x={x(tick)} y={HEIGHT - 8} text-anchor="middle">
          {tick * 100} %
        </text>
      ))}
      <line class="chart-level" x1={x(allowed)} x2={x(allowed)} y1={2} y2={HEIGHT - 22} />
      <rect class="interval" x={x(low)} y={MIDDLE - 6} width={Math.max(1, x(high) - x(low))} height={12} rx={6} />
      <circle class="interval-rate" cx={x(rate)} cy={MIDDLE} r={6} />
    </>
  );
};
