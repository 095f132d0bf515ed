import type {
  AxisReportRow,
  AxisRow,
  ChecklistRow,
  DeploymentRow,
  IssueRow,
  ReadinessReport,
  Release,
  TestRunRow,
} from '@shipworthy/client';
import type { Axis } from '@shipworthy/domain/readiness';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { isOffered, useMay } from '../../api/session.js';
import {
  inRelease,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
  SETTINGS,
} from '../../navigation/places.js';
import { CopyText } from '../../parts/copy-text.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { Empty } from '../../parts/page.js';
import { Commit, DeploymentStatusLabel } from '../../parts/records.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { durationText } from '../../wording/moments.js';
import { NOT_COUNTED } from '../../wording/names.js';
import { countText, passRateText } from '../../wording/numbers.js';
import {
  axisLine,
  axisPosting,
  deployLine,
  deployPosting,
  testCommand,
  testPosting,
} from '../../wording/report-lines.js';
import type { Scored } from '../scorecard/read-scorecard.js';
import { SetAsideNote } from '../test-runs/set-aside.js';

interface AxisRowsProps {
  readonly axis: string;
  /** The one of the five whose records are listed; for an own axis that is reported, its own name. */
  readonly kind: string;
  readonly scored: Scored;
  readonly place: ReleasePlace;
}

/** The records under an axis, each counted or not and why; or how to get some. */
export const AxisRows = ({ axis, kind, scored, place }: AxisRowsProps) => {
  const records = usePaged<AxisRow>(releaseKey(place, `axis/${axis}`), async (query, signal) => {
    const { body } = await client.listAxisRows({ path: { ...inRelease(place), axis }, query, signal });
    return body;
  });
  return (
    <Shown of={records}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Connect axis={axis} kind={kind} report={scored.report} release={scored.release} place={place} />
        ) : (
          <div class="stack">
            {tableOf(kind, rows)}
            <ShowMore of={records} rows={isOfFive(kind) ? NAMES[kind] : 'reports'} />
          </div>
        )
      }
    </Shown>
  );
};

const isOfFive = (axis: string): axis is Axis => Object.hasOwn(NAMES, axis);

const NAMES: Readonly<Record<Axis, string>> = {
  scope: 'issues',
  quality: 'bugs',
  ops: 'items',
  verification: 'test runs',
  stability: 'deployments',
};

interface ConnectProps extends Pick<AxisRowsProps, 'axis' | 'kind'> {
  readonly report: ReadinessReport;
  readonly release: Release;
  readonly place: ReleasePlace;
}

/** Says how an axis without records gets some. */
const Connect = ({ axis, kind, report, release, place }: ConnectProps) => {
  const project = projectAddress(place);
  const app = report.project.name;
  const [isMember, isOwner] = [useMay(place.teamId, 'member'), useMay(place.teamId, 'owner')];
  if (kind === 'ops')
    return (
      <Empty title="The checklist has no item">
        <a class="button" href={`${releaseAddress(place)}/checklist`}>
          Open the launch checklist
        </a>
      </Empty>
    );
  if (kind === 'verification')
    return (
      <Empty title="No test run yet">
        <p>Record one by hand, or let your pipeline send it.</p>
        {isMember ? (
          <a class="button" href={`${project}/test-runs/record`}>
            Record test run
          </a>
        ) : null}
        <Lines command={testCommand(app)} posting={testPosting(place)} />
      </Empty>
    );
  if (kind === 'stability')
    return (
      <Empty title="No deployment yet">
        <p>
          {release.starts_at === null
            ? 'Deployments count from the moment the release becomes active.'
            : 'Let your pipeline report each one.'}
        </p>
        <Lines command={deployLine(app)} posting={deployPosting(app)} />
      </Empty>
    );
  if (!isOfFive(kind))
    return (
      <Empty title="No report yet">
        <p>Let your pipeline report each measurement.</p>
        <Lines command={axisLine(app, axis)} posting={axisPosting(place, axis)} />
      </Empty>
    );
  return (
    <Empty title={kind === 'scope' ? 'No issue yet' : 'No bug'}>
      <p>
        {kind === 'scope'
          ? `Issues are entered by hand${isOffered('host') ? ', or come from the milestone of a linked repository' : ''}.`
          : 'Bugs are issues of type bug. With issues and no bug, quality is 100.'}
      </p>
      <div class="row">
        {isMember ? (
          <a class="button" href={`${project}/issues`}>
            Enter issues
          </a>
        ) : null}
        {isOwner && isOffered('host') ? (
          <a class="button" href={`${project}/settings/repository`}>
            Link a repository
          </a>
        ) : null}
      </div>
    </Empty>
  );
};

const Lines = ({ command, posting }: { readonly command: string; readonly posting: string }) => (
  <>
    <CopyText label="the line for a pipeline" text={command} />
    <CopyText label="the same with curl" text={posting} />
    <p class="small">
      Both need an API key: <a href={SETTINGS}>create one in Settings</a>.
    </p>
  </>
);

/** Chooses the table by the rows, not by the axis: an axis that was reported may be counted by now, or the reverse. */
const tableOf = (kind: string, rows: readonly AxisRow[]) => {
  const those = <Row extends AxisRow>(is: (row: AxisRow) => row is Row): readonly Row[] => rows.filter(is);
  const [first] = rows;
  if (first === undefined) return null;
  if ('evidence' in first) return <ChecklistRows rows={those((row) => 'evidence' in row)} />;
  if ('environment' in first) return <DeploymentRows rows={those((row) => 'environment' in row)} />;
  if ('whole' in first) return <ReportRows rows={those((row) => 'whole' in row)} />;
  if ('passed' in first) return <RunRows rows={those((row) => 'passed' in row)} />;
  return <IssueRows rows={those((row) => 'severity' in row)} bugs={kind === 'quality'} />;
};

const ITEM_STATES: Readonly<Record<ChecklistRow['state'], string>> = {
  open: 'Open',
  done: 'Done',
  not_applicable: 'Not applicable',
};

/** Checklist items under ops, in list order. */
const ChecklistRows = ({ rows }: { readonly rows: readonly ChecklistRow[] }) => (
  <Table cards label="Checklist items of the release" heads={['Item', 'State', 'Evidence', 'Last changed', 'Counted']}>
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head="Item">
          {row.title}
        </th>
        <td data-head="State">
          {ITEM_STATES[row.state]}
          {row.state === 'not_applicable' ? (
            <div class="small soft">{row.mark_reason ?? 'No reason recorded'}</div>
          ) : null}
        </td>
        <td data-head="Evidence">
          {row.evidence.length === 0 ? (
            <span class="soft none">none</span>
          ) : (
            row.evidence.map(({ id, url, label }) => (
              <div key={id}>
                <a href={url} rel="noopener noreferrer">
                  {label}
                </a>
              </div>
            ))
          )}
        </td>
        <td data-head="Changed">
          {row.updated_by === null ? (
            <span class="soft">never</span>
          ) : (
            <>
              <Moment at={row.updated_at} /> by <bdi>{row.updated_by}</bdi>
            </>
          )}
        </td>
        <td data-head="Counted">
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);

/** Whether a row counts in the axis, and if not, why. */
const Counts = ({ row }: { readonly row: Pick<AxisRow, 'counts' | 'reason'> }) => (
  <span class={row.counts ? 'counted' : 'counted not'}>
    <Icon name={row.counts ? 'done' : 'not_applicable'} />
    <span>
      {row.reason === 'awaiting_confirmation'
        ? `Counts as open: ${NOT_COUNTED[row.reason]}`
        : row.counts
          ? 'Counts'
          : `Not counted: ${row.reason === undefined ? 'left out' : NOT_COUNTED[row.reason]}`}
    </span>
  </span>
);

/** Test runs under verification, the latest first. */
const RunRows = ({ rows }: { readonly rows: readonly TestRunRow[] }) => (
  <Table
    cards
    label="Test runs of the release"
    heads={['Ran', 'Suite', { number: 'Passed' }, { number: 'Failed' }, 'Commit', 'Recorded by', 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head="Ran">
          {row.url === null ? (
            <Moment at={row.ran_at} />
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              <Moment at={row.ran_at} />
            </a>
          )}
        </th>
        <td data-head="Suite">{row.suite ?? <span class="soft none">–</span>}</td>
        <td class="number" data-head="Passed">
          {countText(row.passed)} of {countText(row.total)}
          <div class="soft small">{passRateText(row.passed, row.total)}</div>
        </td>
        <td class="number" data-head="Failed">
          {countText(row.failed)}
        </td>
        <td data-head="Commit">
          {row.commit_sha === null ? <span class="soft none">–</span> : <Commit sha={row.commit_sha} />}
        </td>
        <td data-head="Recorded by">{row.recorded_by}</td>
        <td data-head="Counted">
          <Counts row={row} />
          <SetAsideNote run={row} />
        </td>
      </tr>
    ))}
  </Table>
);

/** Reports of an own axis, the latest first. */
const ReportRows = ({ rows }: { readonly rows: readonly AxisReportRow[] }) => (
  <Table
    cards
    label="Reports of the axis"
    heads={['Measured', { number: 'Found right' }, 'Explanation', 'Recorded by', 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head="Measured">
          {row.url === null ? (
            <Moment at={row.measured_at} />
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              <Moment at={row.measured_at} />
            </a>
          )}
        </th>
        <td class="number" data-head="Found right">
          {row.whole === null ? 'Not measured' : `${countText(row.part)} of ${countText(row.whole)}`}
        </td>
        <td data-head="Explanation">{row.explanation ?? <span class="soft none">–</span>}</td>
        <td data-head="Recorded by">{row.recorded_by}</td>
        <td data-head="Counted">
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);

/** Deployments under stability, the latest first. */
const DeploymentRows = ({ rows }: { readonly rows: readonly DeploymentRow[] }) => (
  <Table
    cards
    label="Deployments in the release window"
    heads={['Time', 'Environment', 'Status', 'Commit', 'Version', { number: 'Took' }, 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head="Time">
          {row.url === null ? (
            <Moment at={row.started_at} />
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              <Moment at={row.started_at} />
            </a>
          )}
        </th>
        <td data-head="Environment">{row.environment}</td>
        <td data-head="Status">
          <DeploymentStatusLabel of={row} />
        </td>
        <td data-head="Commit">
          <Commit sha={row.commit_sha} />
        </td>
        <td data-head="Version">{row.version ?? <span class="soft none">–</span>}</td>
        <td class="number" data-head="Took">
          {row.duration_seconds === null ? <span class="none">–</span> : durationText(row.duration_seconds)}
        </td>
        <td data-head="Counted">
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);

const ISSUE_STATES: Readonly<Record<IssueRow['state'], string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  done: 'Done',
  canceled: 'Canceled',
};

/** Issues under scope; under quality only bugs, with their severity. */
const IssueRows = ({ rows, bugs }: { readonly rows: readonly IssueRow[]; readonly bugs: boolean }) => (
  <Table
    cards
    label={bugs ? 'Bugs of the release' : 'Issues of the release'}
    heads={[bugs ? 'Bug' : 'Issue', bugs ? 'Severity' : 'Type', 'State', 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head={bugs ? 'Bug' : 'Issue'}>
          {row.url === null ? (
            row.title
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              {row.title}
            </a>
          )}
        </th>
        <td data-head={bugs ? 'Severity' : 'Type'}>
          {bugs ? (row.severity ?? <span class="soft">No severity</span>) : row.type}
        </td>
        <td data-head="State">{ISSUE_STATES[row.state]}</td>
        <td data-head="Counted">
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);
