import type { PortfolioEntry } from '@shipworthy/client';
import { projectAddress, releaseAddress } from '../../navigation/places.js';
import { DecisionBadge } from '../../parts/decision-badge.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { ScoreFigure } from '../../parts/score-figure.js';
import { waivedText } from '../../wording/names.js';
import { coverageShareText } from '../../wording/numbers.js';
import type { Order, PortfolioColumn } from './sort-projects.js';
import { Trend } from './trend.js';

const Reported = ({ what, at }: { readonly what: string; readonly at: string | null }) => (
  <div class="soft">
    {what} {at === null ? 'never' : <Moment at={at} />}
  </div>
);

const Row = ({ entry }: { readonly entry: PortfolioEntry }) => {
  const { team, project, readiness, last_deployment_at, last_test_run_at } = entry;
  const place = { teamId: team.id, projectId: project.id };
  return (
    <tr>
      <th scope="row">
        <a href={projectAddress(place)}>{project.name}</a>
        <div class="soft small plain-weight">{team.name}</div>
      </th>
      {readiness === null ? (
        <td colSpan={4} class="soft">
          No active release
        </td>
      ) : (
        <>
          <td class="gate">
            <DecisionBadge decision={readiness.decision} />
            <div class="small portfolio-release">
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
          <td class="course">
            <Trend points={readiness.trend} name={project.name} />
          </td>
          <td class="reason">
            {readiness.waivers === 0 ? null : (
              <p>{waivedText(readiness.decision, readiness.decision_without_waivers, readiness.waivers)}</p>
            )}
            {readiness.reason?.message ??
              (readiness.waivers === 0 ? <span class="soft">Nothing stands in the way</span> : null)}
          </td>
        </>
      )}
      <td class="small reported">
        <Reported what="Deployment" at={last_deployment_at} />
        <Reported what="Test run" at={last_test_run_at} />
      </td>
    </tr>
  );
};

interface PortfolioTableProps {
  readonly entries: readonly PortfolioEntry[];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

/** The projects as a table whose heads set its order. */
export const PortfolioTable = ({ entries, order, onOrder }: PortfolioTableProps) => {
  const head = (title: string, column: PortfolioColumn, number = false) => (
    <th
      scope="col"
      data-sorts
      class={number ? 'number' : undefined}
      aria-sort={order.column === column ? (order.reversed ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        class="sorter"
        onClick={() => onOrder({ column, reversed: order.column === column && !order.reversed })}
      >
        {title}
        {order.column === column ? <Icon name={order.reversed ? 'down' : 'up'} /> : null}
      </button>
    </th>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls must be reachable by keyboard
    <section class="table-room" tabIndex={0} aria-label="Projects">
      <table class="table portfolio">
        <thead>
          <tr>
            {head('Project', 'project')}
            {head('Ship gate', 'gate')}
            {head('Score', 'score', true)}
            <th scope="col">Trend</th>
            <th scope="col">First reason</th>
            {head('Last reports', 'reports')}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.project.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </section>
  );
};
