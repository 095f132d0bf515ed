import type { Deployment, NotCounted as NotCountedRow, Project } from '@shipworthy/client';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { useLatestEnvironments, useProject } from '../../api/project.js';
import { useQuery } from '../../navigation/navigate.js';
import { HOME, inProject, type ProjectPlace, projectAddress, projectKey, SETTINGS } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { CopyText } from '../../parts/copy-text.js';
import { Choice, useSettled } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import {
  type DaySpan,
  DaySpanFields,
  ExportCsv,
  FindField,
  momentsOf,
  orderQuery,
  searchQuery,
  type TimeOrder,
  TimeOrderChoice,
  timeOrderIn,
  withoutEmpty,
} from '../../parts/list-filter.js';
import { Moment, useNow } from '../../parts/moment.js';
import { Empty, PageFrame, ProjectNav } from '../../parts/page.js';
import { Commit, Counted, DeploymentStatusLabel } from '../../parts/records.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { durationText } from '../../wording/moments.js';
import { countOf, countText } from '../../wording/numbers.js';
import { deployLine, deployPosting } from '../../wording/report-lines.js';
import { countByEnvironment, inProgressText, whyNot } from './deployment-words.js';
import '../../parts/records.css';
import './deployments.css';

/** The deployments of a project, and the records that count for no release. */
export const Deployments = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const [{ view, kind, text = '', environment = '', status = '', from = '', to = '', order }, change] = useQuery();
  const filter: Filter = {
    text,
    environment,
    status: isStatus(status) ? status : '',
    from,
    to,
    order: timeOrderIn(order),
  };
  const wanted = wantedOf({ ...filter, text: useSettled(text) });
  const project = useProject(place);
  const name = project.state.value.value?.name;
  const here = `${projectAddress(place)}/deployments`;
  const isLeftOut = view === 'not-counted';
  const chosenKind = kind === 'test_run' ? 'test_run' : 'deployment';
  return (
    <PageFrame
      title={
        name
          ? isLeftOut
            ? `Uncounted records of ${isolated(name)}`
            : `Deployments of ${isolated(name)}`
          : project.state.value.fault && 'Deployments'
      }
      crumbs={
        name === undefined
          ? []
          : [['Projects', HOME], [name, projectAddress(place)], ...(isLeftOut ? [['Deployments', here] as const] : [])]
      }
      lead={isLeftOut ? 'Each record is kept, with the reason why it counts for no release.' : undefined}
      actions={
        isLeftOut ? (
          <ExportCsv place={place} file="not-counted.csv" wanted={{ kind: chosenKind }} />
        ) : (
          <>
            <ExportCsv place={place} file="deployments.csv" wanted={wanted} />
            <a class="button" href={`${here}?view=not-counted`}>
              Uncounted records
            </a>
          </>
        )
      }
    >
      <ProjectNav place={place} />
      <Shown of={project} lines={8}>
        {(about) => (
          <div class="stack wide">
            {isLeftOut ? (
              <NotCountedRecords place={place} kind={chosenKind} onKind={(chosen) => change({ kind: chosen })} />
            ) : (
              <Received project={about} place={place} filter={filter} wanted={wanted} onChange={change} />
            )}
          </div>
        )}
      </Shown>
    </PageFrame>
  );
};

/** Which deployments to show; empty: all. */
interface Filter extends DaySpan {
  readonly text: string;
  readonly environment: string;
  readonly status: Status | '';
  readonly order: TimeOrder;
}

/** The query that asks for what the filter leaves. */
const wantedOf = ({ text, environment, status, order, ...span }: Filter) => {
  const { from: started_from, to: started_to } = momentsOf(span);
  return {
    ...withoutEmpty({ q: searchQuery(text), environment, started_from, started_to }),
    ...(status === '' ? {} : { status }),
    ...orderQuery(order),
  };
};

const NO_FILTER = { text: '', environment: '', status: '', from: '', to: '' };

interface ReceivedProps {
  readonly project: Project;
  readonly place: ProjectPlace;
  readonly filter: Filter;
  readonly wanted: ReturnType<typeof wantedOf>;
  readonly onChange: (change: Readonly<Record<string, string>>) => void;
}

const STATUSES = [
  ['', 'Any status'],
  ['started', 'In progress'],
  ['success', 'Success'],
  ['failure', 'Failure'],
] as const;

/** Everything the project received, by environment, status and day. */
const Received = ({ project, place, filter, wanted, onChange }: ReceivedProps) => {
  const { order: _, ...narrow } = wanted;
  const isAll = Object.keys(narrow).length === 0 && filter.text.trim() === '';
  const deployments = usePaged(
    projectKey(place, `deployments?${new URLSearchParams(wanted)}`),
    async (page, signal) => {
      const { body } = await client.listDeployments({ path: inProject(place), query: { ...page, ...wanted }, signal });
      return body;
    },
  );
  if (isAll && deployments.state.value.value?.rows.length === 0) return <NoDeployments project={project} />;
  return (
    <>
      <EnvironmentTabs place={place} filter={filter} />
      <search class="filters">
        <FindField
          label="Find a deployment"
          placeholder="Commit, version or environment"
          text={filter.text}
          onText={(text) => onChange({ text })}
        />
        <Choice label="Status" value={filter.status} choices={STATUSES} onValue={(status) => onChange({ status })} />
        <DaySpanFields span={filter} onSpan={({ from, to }) => onChange({ from, to })} />
        <TimeOrderChoice order={filter.order} onOrder={(order) => onChange({ order })} />
      </search>
      <Shown of={deployments} lines={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="No such deployment">
              <p>No deployment of this project matches the filter.</p>
              <Button onClick={() => onChange(NO_FILTER)}>Show all deployments</Button>
            </Empty>
          ) : (
            <div class="stack">
              <DeploymentTable deployments={rows} place={place} />
              <ShowMore of={deployments} rows="deployments" which={filter.order === '' ? 'latest' : 'first'} />
              <details>
                <summary>How to report a deployment</summary>
                <div class="stack told">
                  <HowToReport project={project} />
                </div>
              </details>
            </div>
          )
        }
      </Shown>
    </>
  );
};

type Status = Deployment['status'];

const isStatus = (text: string): text is Status => ['started', 'success', 'failure'].includes(text);

/** Shown before the first deployment: the lines that report it. */
const NoDeployments = ({ project }: { readonly project: Project }) => (
  <Empty title="No deployment yet">
    <HowToReport project={project} />
  </Empty>
);

/** The lines that report a deployment. */
const HowToReport = ({ project }: { readonly project: Project }) => (
  <>
    <p>
      Put your deploy script behind one command: it reports when the deployment begins, and whether it succeeded. It
      needs <code>SHIPWORTHY_API_URL</code> and <code>SHIPWORTHY_API_KEY</code>; create the key in{' '}
      <a href={SETTINGS}>Settings</a>.
    </p>
    <CopyText label="The command" text={deployLine(project.name)} />
    <p>Or report it afterwards, with any HTTP client:</p>
    <CopyText label="The same with curl" text={deployPosting(project.name)} />
  </>
);

interface EnvironmentTabsProps {
  readonly place: ProjectPlace;
  readonly filter: Filter;
}

/** The environments, each with how many of the latest deployments went there. */
const EnvironmentTabs = ({ place, filter: { environment, ...rest } }: EnvironmentTabsProps) => {
  const known = useLatestEnvironments(place).state.value.value;
  if (known === undefined) return <div class="environments" />;
  const { deployments, isAll } = known;
  const [count, found] = [deployments.length, countByEnvironment(deployments)];
  const missing = environment !== '' && !found.some((each) => each.environment === environment);
  const tabs = [{ environment: '', count }, ...found, ...(missing ? [{ environment, count: 0 }] : [])];
  const addressOf = (wanted: string) => {
    const kept = new URLSearchParams(
      Object.entries({ environment: wanted, ...rest }).filter(([, value]) => value !== ''),
    );
    return `${projectAddress(place)}/deployments${kept.size === 0 ? '' : `?${kept}`}`;
  };
  return (
    <nav class="environments" aria-label="Environments">
      <ul>
        {tabs.map((tab) => (
          <li key={tab.environment}>
            <a href={addressOf(tab.environment)} aria-current={tab.environment === environment ? 'true' : undefined}>
              <bdi>{tab.environment === '' ? 'All environments' : tab.environment}</bdi>{' '}
              <span class="number soft">{countText(tab.count)}</span>
            </a>
          </li>
        ))}
      </ul>
      {isAll ? null : <p class="small soft">Counted in the latest {countText(count)} deployments.</p>}
    </nav>
  );
};

interface DeploymentTableProps {
  readonly deployments: readonly Deployment[];
  readonly place: ProjectPlace;
}

const HEADS = ['Started', 'Status', 'Environment', 'Commit', 'Version', 'By', { number: 'Took' }, 'Counts'] as const;

/** Deployments: how each went, and what it counts for. */
const DeploymentTable = ({ deployments, place }: DeploymentTableProps) => {
  const now = useNow();
  return (
    <Table cards label="Deployments" heads={HEADS}>
      {deployments.map((deployment) => (
        <Row key={deployment.id} deployment={deployment} place={place} now={now} />
      ))}
    </Table>
  );
};

interface RowProps {
  readonly deployment: Deployment;
  readonly place: ProjectPlace;
  readonly now: number;
}

const Row = ({ deployment, place, now }: RowProps) => {
  const { status, environment, commit_sha, version, deployed_by, started_at, duration_seconds, url } = deployment;
  return (
    <tr>
      <th scope="row" data-head="Started" class="when">
        <Moment at={started_at} />
        {url === null ? null : (
          <div class="small">
            <a href={url} rel="noreferrer noopener" target="_blank">
              <Icon name="link" /> Pipeline run
            </a>
          </div>
        )}
      </th>
      <td data-head="Status" class="going">
        <DeploymentStatusLabel of={deployment} />
        {status === 'started' ? (
          <div class="small soft">{inProgressText(new Date(started_at).getTime(), now)}</div>
        ) : null}
      </td>
      <td data-head="Environment" class="environment">
        {environment}
      </td>
      <td data-head="Commit">
        <Commit sha={commit_sha} />
      </td>
      <td data-head="Version">{version ?? NONE}</td>
      <td data-head="By">{deployed_by ?? NONE}</td>
      <td data-head="Took" class="number">
        {duration_seconds === null ? NONE : durationText(duration_seconds)}
      </td>
      <td data-head="Counts" class="small counts-for">
        <Counted of={deployment.attribution} place={place} />
      </td>
    </tr>
  );
};

const NONE = <span class="soft none">–</span>;

type Kind = 'deployment' | 'test_run';

const KINDS = [
  ['deployment', 'Deployments'],
  ['test_run', 'Test runs'],
] as const;
const NAMES: Readonly<Record<Kind, string>> = { deployment: 'deployments', test_run: 'test runs' };

interface NotCountedProps {
  readonly place: ProjectPlace;
  readonly kind: Kind;
  readonly onKind: (kind: Kind) => void;
}

/** What was accepted and counts for no release, each with its reason and what to do. */
const NotCountedRecords = ({ place, kind, onKind }: NotCountedProps) => {
  const records = usePaged(projectKey(place, `not-counted/${kind}`), async (page, signal) => {
    const { body } = await client.listNotCounted({ path: inProject(place), query: { ...page, kind }, signal });
    return body;
  });
  return (
    <>
      <div class="filters">
        <Choice label="Kind" value={kind} choices={KINDS} onValue={onKind} />
      </div>
      <Shown of={records} lines={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="No uncounted records">
              <p>All {NAMES[kind]} that were accepted count for a release.</p>
            </Empty>
          ) : (
            <div class="stack">
              <Table cards label="Not counted" heads={['When', 'What', 'Why it does not count', 'What to do']}>
                {rows.map((row) => (
                  <UncountedRow
                    key={'deployment' in row ? row.deployment.id : row.test_run.id}
                    row={row}
                    place={place}
                  />
                ))}
              </Table>
              <ShowMore of={records} rows={NAMES[kind]} />
            </div>
          )
        }
      </Shown>
    </>
  );
};

const What = ({ row }: { readonly row: NotCountedRow }) =>
  'deployment' in row ? (
    <>
      <DeploymentStatusLabel of={row.deployment} /> in <bdi>{row.deployment.environment}</bdi>
      <div class="small">
        <Commit sha={row.deployment.commit_sha} />
      </div>
    </>
  ) : (
    <>
      {countText(row.test_run.passed)} of {countOf(row.test_run.total, 'test')} passed
      {row.test_run.suite === null ? null : <div class="small soft">{row.test_run.suite}</div>}
    </>
  );

const UncountedRow = ({ row, place }: { readonly row: NotCountedRow; readonly place: ProjectPlace }) => {
  const { why, todo, where } = whyNot(row);
  return (
    <tr>
      <th scope="row" data-head="When" class="when">
        <Moment at={'deployment' in row ? row.deployment.started_at : row.test_run.ran_at} />
      </th>
      <td data-head="What">
        <What row={row} />
      </td>
      <td data-head="Why" class="counts-for">
        {why}
      </td>
      <td data-head="What to do" class="counts-for">
        {todo}
        {where === undefined ? null : (
          <div class="small">
            <a href={projectAddress(place) + where[1]}>{where[0]}</a>
          </div>
        )}
      </td>
    </tr>
  );
};
