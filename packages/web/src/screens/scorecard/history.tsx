import type { HistoryPoint, Member, ReadinessReport, Release } from '@shipworthy/client';
import { Fragment } from 'preact';
import { client } from '../../api/client.js';
import { useMembers } from '../../api/members.js';
import { type Rows, readPages } from '../../api/read-rows.js';
import { useResource } from '../../api/resource.js';
import { ChartFigure } from '../../charts/chart-figure.js';
import { StepChart, spans } from '../../charts/step-chart.js';
import { inRelease, type ReleasePlace, recordAddress, releaseAddress, releaseKey } from '../../navigation/places.js';
import { Panel } from '../../parts/page.js';
import { DecisionBadge } from '../../parts/score-figure.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { momentText } from '../../wording/moments.js';
import { DECISION_TITLES } from '../../wording/names.js';
import { scoreDigits } from '../../wording/numbers.js';
import { authorsText, causeTexts, measuredText, trendText } from './scorecard-words.js';
import './history.css';

interface HistoryProps {
  readonly place: ReleasePlace;
  readonly report: ReadinessReport;
  readonly release: Release;
  /** Minimum score of the policy now. */
  readonly threshold: number;
}

/** The score over time with the gate's decisions, and what moved it. */
export const History = ({ place, report, release, threshold }: HistoryProps) => {
  const history = useResource(releaseKey(place, 'history'), (signal) => readHistory(place, signal));
  const end = release.shipped_at ?? release.canceled_at;
  const to = end === null ? (history.state.value.readAt ?? 0) : Date.parse(end);
  return (
    <div class="history on-screen">
      <Panel title="Score over time">
        <Shown of={history} lines={8}>
          {({ rows: points, next }) =>
            points.length === 0 ? (
              <p class="soft">The first point appears as soon as something is reported.</p>
            ) : (
              <>
                <HistoryFigure
                  name={`${isolated(report.project.name)} ${isolated(report.release.name)}`}
                  place={place}
                  points={points}
                  to={to}
                  threshold={threshold}
                />
                {next !== null ? <p class="soft small">These are the first {points.length} points.</p> : null}
              </>
            )
          }
        </Shown>
      </Panel>
    </div>
  );
};

/** More points than that are no longer told apart on a screen. */
const MOST_POINTS = 2_000;

/** The trend of a release from its beginning, in order of time. */
export const readHistory = (place: ReleasePlace, signal: AbortSignal): Promise<Rows<HistoryPoint>> =>
  readPages(
    async (query, stop) => (await client.listHistory({ path: inRelease(place), query, signal: stop })).body,
    MOST_POINTS,
    signal,
  );

interface HistoryFigureProps {
  /** The names of project and release. */
  readonly name: string;
  readonly place: ReleasePlace;
  /** In order of time; at least one. */
  readonly points: readonly HistoryPoint[];
  /** Where the drawing ends, in milliseconds since the epoch. */
  readonly to: number;
  /** Minimum score of the policy now. */
  readonly threshold?: number;
}

const HEIGHT = 240;
const TICKS = [0, 20, 40, 60, 80, 100];

const BAND_HEIGHT = 20;
/** The width of a letter, and the space around a word, in CSS pixels. */
const LETTER = 8;
const AROUND = 6;

/** How much room the ribbon takes. */
const RIBBON_HEIGHT = BAND_HEIGHT + 4;

/** The score over time as a drawing, a sentence and a table of what moved it. */
export const HistoryFigure = ({ name, place, points, to, threshold }: HistoryFigureProps) => (
  <ChartFigure
    title={`Readiness score of ${name} over time`}
    summary={trendText(points)}
    height={HEIGHT}
    table={(label) => <HistoryTable label={label} points={points} place={place} />}
    draw={(width) => (
      <StepChart
        width={width}
        height={HEIGHT}
        from={Date.parse(points[0]?.at ?? '')}
        to={to}
        ticks={TICKS}
        level={threshold === undefined ? undefined : { value: threshold, text: `Minimum ${threshold}` }}
        series={[
          {
            name: 'Score',
            look: 'first',
            points: points.map(({ at, score }) => ({ at: Date.parse(at), value: score })),
          },
        ]}
        below={{
          height: RIBBON_HEIGHT,
          draw: (x, top) => <DecisionRibbon points={points} to={to} x={x} top={top} />,
        }}
      />
    )}
  />
);

interface HistoryTableProps extends Pick<HistoryFigureProps, 'points' | 'place'> {
  readonly label: string;
}

/** The points, newest first, each with links to what moved it, and who did, marked where that person is gone. */
const HistoryTable = ({ label, points, place }: HistoryTableProps) => {
  const members = useMembers(place.teamId).state.value.value;
  return (
    <Table cards label={label} heads={['When', { number: 'Score' }, { number: 'Measured' }, 'Gate', 'What moved it']}>
      {points.toReversed().map((point, index) => (
        <tr key={point.at}>
          <th scope="row" data-head="When">
            <time dateTime={point.at}>{momentText(point.at)}</time>
          </th>
          <td class="number" data-head="Score">
            {point.score === null ? '–' : scoreDigits(point.score)}
          </td>
          <td class="number" data-head="Measured">
            {measuredText(point)}
          </td>
          <td data-head="Gate">
            <DecisionBadge decision={point.decision} />
          </td>
          <td data-head="What moved it">
            <Causes point={point} before={points[points.length - 2 - index]} place={place} members={members} />
          </td>
        </tr>
      ))}
    </Table>
  );
};

interface CausesProps {
  readonly point: HistoryPoint;
  /** Missing for the first point. */
  readonly before: HistoryPoint | undefined;
  readonly place: ReleasePlace;
  /** undefined: not known. */
  readonly members: readonly Member[] | undefined;
}

const Causes = ({ point, before, place, members }: CausesProps) => {
  const moments = before && new URLSearchParams({ from: before.at, to: point.at });
  const authors = authorsText(point, members);
  return (
    <>
      {causeTexts(point).map(({ kind, text }, index) => (
        <Fragment key={kind ?? 'rest'}>
          {index === 0 ? null : ', '}
          {kind === null ? text : <a href={recordAddress(place, kind)}>{text}</a>}
        </Fragment>
      ))}
      {authors === '' ? null : <span class="soft"> {authors}</span>}
      {moments === undefined ? null : (
        <>
          {' '}
          <a href={`${releaseAddress(place)}/difference?${moments}`}>What changed</a>
        </>
      )}
    </>
  );
};

interface RibbonProps {
  readonly points: readonly HistoryPoint[];
  readonly to: number;
  readonly x: (at: number) => number;
  readonly top: number;
}

/** The gate's decisions over time: a colour, and the word or its first letter where there is room. */
const DecisionRibbon = ({ points, to, x, top }: RibbonProps) => (
  <>
    {spans(
      points.map(({ at, decision }) => ({ at: Date.parse(at), value: decision })),
      to,
    ).map(({ from, to: until, value }) => {
      const [left, width] = [x(from), Math.max(1, x(until) - x(from))];
      const title = DECISION_TITLES[value];
      return (
        <g key={from} class={`ribbon ${value}`}>
          <rect x={left} y={top} width={width} height={BAND_HEIGHT} />
          <line x1={left} x2={left} y1={top} y2={top + BAND_HEIGHT} />
          {width < LETTER + AROUND ? null : (
            <text x={left + width / 2} y={top + 14} text-anchor="middle">
              {width < title.length * LETTER + AROUND ? title.slice(0, 1) : title}
            </text>
          )}
        </g>
      );
    })}
  </>
);
