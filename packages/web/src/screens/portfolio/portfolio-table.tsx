import type { PortfolioEntry } from '@shipworthy/client';
import { isOffered } from '../../api/session.js';
import { projectAddress, releaseAddress } from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { DecisionBadge, ScoreFigure } from '../../parts/score-figure.js';
import { ROWS_PER_PART, TableFrame } from '../../parts/table.js';
import { isolated, withIsolatedNames } from '../../wording/isolate.js';
import { waivedText } from '../../wording/names.js';
import { countText, coverageShareText, scoreDigits } from '../../wording/numbers.js';
import type { PortfolioSort, PortfolioView } from './portfolio-filter.js';

interface PortfolioTableProps {
  readonly entries: readonly PortfolioEntry[];
  readonly view: PortfolioView;
  /** Projects by the id of their team, among those that the filter leaves. */
  readonly teams: ReadonlyMap<string, number>;
  /** Whether these are still the rows of a former view. */
  readonly former: boolean;
}

/** The projects as a table whose heads set its order; when grouped, each team has a head above its projects. */
export const PortfolioTable = ({ entries, view, teams, former }: PortfolioTableProps) => {
  const { sort, descending, grouped, sortBy } = view;
  const head = (title: string, column: PortfolioSort, look: string) => (
    <th
      scope="col"
      data-sorts
      class={look}
      aria-sort={sort === column ? (descending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" class="sorter" onClick={() => sortBy(column)}>
        {title}
        {sort === column ? <Icon name={descending ? 'down' : 'up'} /> : null}
      </button>
    </th>
  );
  const columns = isOffered('history') ? 6 : 5;
  return (
    <TableFrame
      label="Projects"
      look="table portfolio"
      busy={former}
      columns={columns}
      head={
        <>
          {head('Project', 'project', 'name')}
          {head('Ship gate', 'decision', 'gate')}
          {head('Score', 'score', 'number')}
          {isOffered('history') ? (
            <th scope="col" class="course">
              Trend
            </th>
          ) : null}
          <th scope="col" class="reason">
            First reason
          </th>
          {head('Last reports', 'reported', 'reported')}
        </>
      }
      bodies={
        grouped
          ? groupsOf(entries).map(([team, members]) => [
              <tr key={team.id} class="group">
                <th scope="rowgroup" colSpan={columns}>
                  <bdi>{team.name}</bdi>{' '}
                  <span class="soft number">{countText(teams.get(team.id) ?? members.length)}</span>
                </th>
              </tr>,
              // The team's head is only in the first part of its rows; rows of further parts have no head above them.
              ...members.map((entry, place) => (
                <Row key={entry.project.id} entry={entry} teamIs={place + 1 < ROWS_PER_PART ? 'above' : 'aloud'} />
              )),
            ])
          : [entries.map((entry) => <Row key={entry.project.id} entry={entry} teamIs="shown" />)]
      }
    />
  );
};

type Group = readonly [team: PortfolioEntry['team'], members: PortfolioEntry[]];

/** Groups projects, which must be sorted by team, under their teams. */
const groupsOf = (entries: readonly PortfolioEntry[]): readonly Group[] => {
  const groups: Group[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.[0].id === entry.team.id) last[1].push(entry);
    else groups.push([entry.team, [entry]]);
  }
  return groups;
};

type Points = NonNullable<PortfolioEntry['readiness']>['trend'];

const WIDTH = 96;
const HEIGHT = 28;
const EDGE = 3;

/** The last scores as a small line, and in words for people who cannot see it. */
const Trend = ({ points, name }: { readonly points: Points; readonly name: string }) => {
  const known = points.flatMap(({ score }) => (score === null ? [] : [score]));
  const path = trendPath(known);
  const [first, last] = [known[0], known.at(-1)];
  if (path === undefined || first === undefined || last === undefined) return <span class="soft">–</span>;
  const words = `Score of ${isolated(name)}: from ${scoreDigits(first)} to ${scoreDigits(last)} over the last ${known.length} changes`;
  return (
    <svg class="trend" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
      <title>{words}</title>
      <path d={path} fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
    </svg>
  );
};

/** The path through the known scores, at equal distances; undefined where fewer than two are known. */
const trendPath = (scores: readonly (number | null)[]): string | undefined => {
  const known = scores.filter((score): score is number => score !== null);
  if (known.length < 2) return undefined;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => EDGE + (index * (WIDTH - 2 * EDGE)) / (known.length - 1);
  const y = (score: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((score - least) * (HEIGHT - 2 * EDGE)) / (most - least);
  const [first = 0, ...rest] = known;
  return `M${x(0)} ${y(first).toFixed(1)}${rest.map((score, index) => `H${x(index + 1).toFixed(1)}V${y(score).toFixed(1)}`).join('')}`;
};

interface RowProps {
  readonly entry: PortfolioEntry;
  /** Where the name of its team is: in the head above, in the row for screen readers only, or in the row. */
  readonly teamIs: keyof typeof TEAM_LOOKS;
}

const TEAM_LOOKS = { above: null, aloud: 'unseen', shown: 'soft small plain-weight' } as const;

const Row = ({ entry, teamIs }: RowProps) => {
  const { team, project, readiness, last_deployment_at, last_test_run_at, last_axis_report_at } = entry;
  const place = { teamId: team.id, projectId: project.id };
  const look = TEAM_LOOKS[teamIs];
  const isSilent = (source: 'deployments' | 'test_runs') => readiness?.silent_sources.includes(source) === true;
  return (
    <tr>
      <th scope="row">
        <a href={projectAddress(place)}>
          <bdi>{project.name}</bdi>
        </a>
        {look === null ? null : <div class={look}>{team.name}</div>}
      </th>
      {readiness === null ? (
        <td colSpan={isOffered('history') ? 4 : 3} class="soft">
          No active release
        </td>
      ) : (
        <>
          <td class="gate">
            <div>
              <DecisionBadge decision={readiness.decision} />
              <a href={releaseAddress({ ...place, releaseId: readiness.release.id })}>{readiness.release.name}</a>
            </div>
          </td>
          <td class="number">
            <ScoreFigure
              score={readiness.score}
              coverage={readiness.coverage}
              covers={coverageShareText(readiness.coverage)}
              look="portfolio-score"
            />
          </td>
          {isOffered('history') ? (
            <td class="course">
              <Trend points={readiness.trend} name={project.name} />
            </td>
          ) : null}
          <td class="reason">
            <FirstReason readiness={readiness} />
          </td>
        </>
      )}
      <td class="small reported">
        <Reported what="Deployment" at={last_deployment_at} silent={isSilent('deployments')} />
        <Reported what="Test run" at={last_test_run_at} silent={isSilent('test_runs')} />
        {last_axis_report_at === null ? null : <Reported what="Own axis" at={last_axis_report_at} silent={false} />}
      </td>
    </tr>
  );
};

/** The main reason, how many more there are, and what the gate says without the waivers. */
const FirstReason = ({ readiness }: { readonly readiness: NonNullable<PortfolioEntry['readiness']> }) => {
  const { decision, decision_without_waivers: without, waivers, main_reason: main, open_reasons: open } = readiness;
  return (
    <>
      {waivers === 0 ? null : <p>{waivedText(decision, without, waivers)}</p>}
      {main !== null ? (
        <>
          {withIsolatedNames(main.message)}
          {open > 1 ? <span class="soft"> and {countText(open - 1)} more</span> : null}
        </>
      ) : waivers === 0 ? (
        <span class="soft">None</span>
      ) : null}
    </>
  );
};

interface ReportedProps {
  readonly what: string;
  readonly at: string | null;
  readonly silent: boolean;
}

const Reported = ({ what, at, silent }: ReportedProps) => (
  <div class={silent ? 'marked' : 'soft'}>
    {silent ? <Icon name="attention" /> : null} {what} {at === null ? 'never' : <Moment at={at} />}
    {silent ? ', silent' : null}
  </div>
);
