import type { ApiKey, PortfolioEntry, ReceivedInvitation } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { refreshShown, useResource } from '../../api/resource.js';
import { ROLE_TITLES, useMay } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { projectAddress, releaseAddress, SETTINGS, WELCOME } from '../../navigation/places.js';
import { MixedScriptsWarning } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton } from '../../parts/dialog.js';
import { Expiry, endsAboutNow, Moment } from '../../parts/moment.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Empty, PageFrame, Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { momentText } from '../../wording/moments.js';
import { countOf, countText, coverageShareText, scoreDigits } from '../../wording/numbers.js';
import './portfolio.css';
import { Icon } from '../../parts/icon.js';
import { DecisionBadge, ScoreFigure } from '../../parts/score-figure.js';
import { waivedText } from '../../wording/names.js';
import { filtered, PortfolioFilters, usePortfolioFilter } from './portfolio-filter.js';

/** Every project in sight: may its active release ship, and if not, why not. */
export const Portfolio = () => {
  const [order, setOrder] = useState(DEFAULT_ORDER);
  const portfolio = useResource('portfolio', async (signal) => (await client.readPortfolio({ signal })).body.data);
  const count = portfolio.state.value.value?.length ?? 0;
  return (
    <PageFrame
      title="Projects"
      actions={
        count === 0 ? undefined : (
          <a class="button" href={WELCOME}>
            New project
          </a>
        )
      }
      lead={count === 0 ? undefined : countOf(count, 'project')}
    >
      <ReceivedInvitations />
      <EndingKeys />
      <Shown of={portfolio}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No project yet">
              <p>A project is what your pipeline deploys under one name. Create one, and this line reports to it:</p>
              <pre>npx @shipworthy/cli tests record report.xml</pre>
              <a class="button main" href={WELCOME}>
                Create a project
              </a>
            </Empty>
          ) : (
            <div class="stack">
              <DemoNotice entries={entries} onRemoved={portfolio.refresh} />
              <Projects entries={ordered(entries, order)} order={order} onOrder={setOrder} />
            </div>
          )
        }
      </Shown>
    </PageFrame>
  );
};

/** The invitations for the person's own address; nothing where there are none, or they cannot be read. */
const ReceivedInvitations = () => {
  const received = useResource<readonly ReceivedInvitation[]>('received-invitations', async (signal) => {
    const { body } = await client.listReceivedInvitations({ signal });
    return body.data;
  });
  const invitations = received.state.value.value ?? [];
  const done = () => {
    void received.refresh();
    for (const key of ['whoami', 'portfolio']) refreshShown(key);
  };
  if (invitations.length === 0) return null;
  return (
    <Panel title="Invitations for you">
      <ul class="stack">
        {invitations.map((invitation) => (
          <Line key={invitation.id} invitation={invitation} onDone={done} />
        ))}
      </ul>
    </Panel>
  );
};

interface LineProps {
  readonly invitation: ReceivedInvitation;
  readonly onDone: () => void;
}

const Line = ({ invitation, onDone }: LineProps) => {
  const { id, team, role, invited_by: maker, mixed_scripts: mixed, expires_at: end } = invitation;
  const path = { invitation_id: id };
  const accept = useAction(async () => {
    await client.acceptReceivedInvitation({ path });
    onDone();
  });
  return (
    <li class="stack tight">
      <div class="row">
        <span>
          {maker} invites you to the team {team.name}, as {ROLE_TITLES[role].toLowerCase()}{' '}
          <span class="small soft">until {momentText(end)}</span>
          {mixed ? <MixedScriptsWarning /> : null}
        </span>
        <Button
          look="main"
          compact
          busy={accept.running}
          onClick={() => void accept.run()}
          label={`Join the team ${team.name}`}
        >
          Join
        </Button>
        <ConfirmButton
          text="Decline"
          label={`Decline to join ${team.name}`}
          title={`Decline to join ${team.name}?`}
          look="plain"
          compact
          perform={() => client.declineReceivedInvitation({ path })}
          onDone={onDone}
        >
          <p>An owner of the team can invite you again.</p>
        </ConfirmButton>
      </div>
      {accept.fault === undefined ? null : <FaultNotice fault={accept.fault} />}
    </li>
  );
};

/** The person's own API keys that expire within 14 days or have expired since; nothing where there are none. */
const EndingKeys = () => {
  const keys = useResource<readonly ApiKey[]>('ending-keys', async (signal) => {
    const { body } = await client.listApiKeys({ signal });
    return body.data.filter(({ expires_at }) => endsAboutNow(expires_at));
  });
  const ending = keys.state.value.value ?? [];
  if (ending.length === 0) return null;
  return (
    <Notice look="attention">
      <p>
        Pipelines that use these <a href={SETTINGS}>API keys of yours</a> are refused once they expire. Replace them
        before:
      </p>
      <ul>
        {ending.map(({ id, name, expires_at }) => (
          <li key={id}>
            {name} <Expiry at={expires_at} />
          </li>
        ))}
      </ul>
    </Notice>
  );
};

interface DemoNoticeProps {
  readonly entries: readonly PortfolioEntry[];
  readonly onRemoved: () => Promise<void>;
}

/** Says which of the projects is sample data, and removes it by one click. */
const DemoNotice = ({ entries, onRemoved }: DemoNoticeProps) => {
  const entry = entries.find(({ team }) => team.demo);
  return entry === undefined ? null : <Known entry={entry} onRemoved={onRemoved} />;
};

const Known = ({ entry, onRemoved }: Pick<DemoNoticeProps, 'onRemoved'> & { readonly entry: PortfolioEntry }) => {
  const { team, project } = entry;
  const mayRemove = useMay(team.id, 'owner');
  const remove = useAction(async () => {
    await client.removeDemo();
    await onRemoved();
  });
  return (
    <>
      <Notice look="attention">
        <div class="demo">
          <p>
            <strong>Demo data</strong>: three releases of{' '}
            <a href={projectAddress({ teamId: team.id, projectId: project.id })}>{project.name}</a>, made up for looking
            around.
          </p>
          {mayRemove ? (
            <Button compact busy={remove.running} onClick={() => void remove.run()}>
              Remove it
            </Button>
          ) : null}
        </div>
      </Notice>
      {remove.fault === undefined ? null : <FaultNotice fault={remove.fault} />}
    </>
  );
};

type PortfolioColumn = 'project' | 'gate' | 'score' | 'reports';

/** The column to sort by, and whether in reverse. */
interface Order {
  readonly column: PortfolioColumn;
  readonly reversed: boolean;
}

interface PortfolioTableProps {
  readonly entries: readonly PortfolioEntry[];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

/** So many projects need no filter: they are seen at a glance. */
const AT_A_GLANCE = 5;
/** So many more rows are shown at a time: a thousand at once keep a slow machine busy for seconds. */
const ROWS = 100;

/** The projects that a filter leaves, the first of many. */
const Projects = ({ entries, order, onOrder }: PortfolioTableProps) => {
  const filter = usePortfolioFilter();
  const [most, setMost] = useState(ROWS);
  const shown = filtered(entries, filter);
  return (
    <>
      {entries.length > AT_A_GLANCE ? <PortfolioFilters entries={entries} shown={shown} filter={filter} /> : null}
      {shown.length === 0 ? (
        <Empty title="No project fits">
          <Button onClick={() => filter.change({ text: '', standing: '' })}>Show all projects</Button>
        </Empty>
      ) : (
        <PortfolioTable entries={shown.slice(0, most)} order={order} onOrder={onOrder} />
      )}
      {shown.length > most ? (
        <Button onClick={() => setMost(most + ROWS)}>
          Show {countText(Math.min(ROWS, shown.length - most))} more of {countOf(shown.length, 'project')}
        </Button>
      ) : null}
    </>
  );
};

/** The projects as a table whose heads set its order. */
const PortfolioTable = ({ entries, order, onOrder }: PortfolioTableProps) => {
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
  const words = `Score of ${name}: from ${scoreDigits(first)} to ${scoreDigits(last)} over the last ${known.length} changes`;
  return (
    <svg class="trend" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
      <title>{words}</title>
      <path d={path} fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
    </svg>
  );
};

/** Steps through the scores there are, the points at equal distances; undefined where fewer than two are known. */
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

const Reported = ({ what, at }: { readonly what: string; readonly at: string | null }) => (
  <div class="soft">
    {what} {at === null ? 'never' : <Moment at={at} />}
  </div>
);

/** Releases that need attention come first. */
const DEFAULT_ORDER: Order = { column: 'gate', reversed: false };

const URGENCY = { hold: 0, unknown: 1, go: 2 } as const;

const lastReport = ({ last_deployment_at, last_test_run_at }: PortfolioEntry): string =>
  [last_deployment_at ?? '', last_test_run_at ?? ''].sort().at(-1) ?? '';

const RANKS: Readonly<Record<PortfolioColumn, (entry: PortfolioEntry) => number | string>> = {
  project: ({ project }) => project.name.toLowerCase(),
  gate: ({ readiness }) => (readiness === null ? 3 : URGENCY[readiness.decision]),
  score: ({ readiness }) => readiness?.score ?? 101,
  reports: lastReport,
};

/** The projects in an order; those that are equal stay as they came, by team and name. */
const ordered = (entries: readonly PortfolioEntry[], { column, reversed }: Order): readonly PortfolioEntry[] => {
  const rank = RANKS[column];
  const compare = (a: PortfolioEntry, b: PortfolioEntry) => {
    const [one, other] = [rank(a), rank(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
  return entries.toSorted((a, b) => (reversed ? compare(b, a) : compare(a, b)));
};
