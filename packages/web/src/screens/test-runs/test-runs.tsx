import type { Project, Release, TestRun } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { type Paged, usePaged } from '../../api/paged.js';
import { useProject, useReleases } from '../../api/project.js';
import { useResource } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
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
import { Moment } from '../../parts/moment.js';
import { Empty, PageFrame, Panel, ProjectNav } from '../../parts/page.js';
import { Commit, Counted } from '../../parts/records.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { releaseChoices } from '../../wording/names.js';
import { countText, passRateText } from '../../wording/numbers.js';
import { testCommand, testPosting } from '../../wording/report-lines.js';
import { MayNot, Recorded, RecordForm } from './record/record-test-run.js';
import { SetAsideActions, SetAsideNote } from './set-aside.js';
import '../../parts/records.css';
import './test-runs.css';

/** Every test run the project received, with its result and the release it counts for. */
export const TestRuns = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const [{ text = '', suite = '', release = '', from = '', to = '', order }, change] = useQuery();
  const filter: RunFilter = { text, suite, release, from, to, order: timeOrderIn(order) };
  const wanted = wantedOf({ ...filter, text: useSettled(text) });
  const project = useProject(place);
  const releases = useReleases(place);
  const runs = useRuns(place, wanted);
  const [member, owner] = [useMay(teamId, 'member'), useMay(teamId, 'owner')];
  const [recorded, setRecorded] = useState<TestRun | undefined>(undefined);
  const name = project.state.value.value?.name;
  const known: readonly Release[] = releases.state.value.value ?? [];
  const { order: _, ...narrow } = wanted;
  const isAll = Object.keys(narrow).length === 0 && text.trim() === '';
  const isEmpty = isAll && runs.state.value.value?.rows.length === 0;
  return (
    <PageFrame
      title={name ? `Test runs of ${isolated(name)}` : project.state.value.fault && 'Test runs'}
      crumbs={
        name === undefined
          ? []
          : [
              ['Projects', HOME],
              [name, projectAddress(place)],
            ]
      }
      actions={
        isEmpty ? undefined : (
          <>
            <ExportCsv place={place} file="test-runs.csv" wanted={wanted} />
            {member ? (
              <a class="button main" href={`${projectAddress(place)}/test-runs/record`}>
                Record test run
              </a>
            ) : null}
          </>
        )
      }
    >
      <ProjectNav place={place} />
      <Shown of={project} lines={8}>
        {(about) => (
          <div class="stack wide">
            {recorded === undefined ? null : <Recorded run={recorded} place={place} />}
            {isEmpty ? (
              <Shown of={releases}>
                {(all) => (
                  <NoRuns
                    project={about}
                    place={place}
                    releases={all}
                    member={member}
                    onRecorded={(run) => {
                      setRecorded(run);
                      void runs.refresh();
                    }}
                  />
                )}
              </Shown>
            ) : (
              <>
                <RunFilters place={place} filter={filter} releases={known} onChange={change} />
                <Found
                  runs={runs}
                  place={place}
                  changeable={owner ? openIdsOf(known) : NO_RELEASES}
                  which={filter.order === '' ? 'latest' : 'first'}
                  onAll={() => change(NO_FILTER)}
                />
              </>
            )}
          </div>
        )}
      </Shown>
    </PageFrame>
  );
};

const NO_RELEASES: ReadonlySet<string> = new Set();

/** The query that asks for what the filter leaves. */
const wantedOf = ({ text, suite, release: release_id, order, ...span }: RunFilter) => {
  const { from: ran_from, to: ran_to } = momentsOf(span);
  return { ...withoutEmpty({ q: searchQuery(text), suite, release_id, ran_from, ran_to }), ...orderQuery(order) };
};

const NO_FILTER = { text: '', suite: '', release: '', from: '', to: '' };

const useRuns = (place: ProjectPlace, wanted: ReturnType<typeof wantedOf>): Paged<TestRun> =>
  usePaged(projectKey(place, `test-runs?${new URLSearchParams(wanted)}`), async (page, signal) => {
    const { body } = await client.listTestRuns({ path: inProject(place), query: { ...page, ...wanted }, signal });
    return body;
  });

interface NoRunsProps {
  readonly project: Project;
  readonly place: ProjectPlace;
  readonly releases: readonly Release[];
  readonly member: boolean;
  readonly onRecorded: (run: TestRun) => void;
}

/** Shown before the first run: how to record one here or from the pipeline. */
const NoRuns = ({ project, place, releases, member, onRecorded }: NoRunsProps) => (
  <div class="two-ways">
    <div class="stack">
      <h2>Record the first one by hand</h2>
      {member ? <RecordForm place={place} releases={releases} onRecorded={onRecorded} /> : <MayNot />}
    </div>
    <Panel title="Or let the pipeline record every run">
      <div class="stack">
        <p>
          Two settings tell it where and who: <code>SHIPWORTHY_API_URL</code> and <code>SHIPWORTHY_API_KEY</code>.
          Create the key in <a href={SETTINGS}>Settings</a>.
        </p>
        <CopyText label="The command" text={testCommand(project.name)} />
        <CopyText label="The same with curl" text={testPosting(place)} />
      </div>
    </Panel>
  </div>
);

/** Which test runs to show; empty: all. */
interface RunFilter extends DaySpan {
  readonly text: string;
  readonly suite: string;
  readonly release: string;
  readonly order: TimeOrder;
}

interface RunFiltersProps {
  readonly place: ProjectPlace;
  readonly filter: RunFilter;
  readonly releases: readonly Release[];
  readonly onChange: (change: Partial<RunFilter>) => void;
}

/** Which of the test runs to show. */
const RunFilters = ({ place, filter, releases, onChange }: RunFiltersProps) => {
  const known = useSuites(place);
  const suites = filter.suite === '' || known.includes(filter.suite) ? known : [filter.suite, ...known];
  return (
    <search class="filters">
      <FindField
        label="Find a test run"
        placeholder="Suite, commit or external id"
        text={filter.text}
        onText={(text) => onChange({ text })}
      />
      <Choice
        label="Suite"
        value={filter.suite}
        choices={[['', 'All suites'], ...suites.map((suite) => [suite, suite] as const)]}
        onValue={(suite) => onChange({ suite })}
      />
      <Choice
        label="Release"
        value={filter.release}
        choices={[['', 'All releases'], ...releaseChoices(releases, filter.release)]}
        onValue={(release) => onChange({ release })}
      />
      <DaySpanFields span={filter} onSpan={({ from, to }) => onChange({ from, to })} />
      <TimeOrderChoice order={filter.order} onOrder={(order) => onChange({ order })} />
    </search>
  );
};

/** Suites of the latest 200 runs, by name. */
const useSuites = (place: ProjectPlace): readonly string[] => {
  const suites = useResource(projectKey(place, 'suites'), async (signal) => {
    const { body } = await client.listTestRuns({ path: inProject(place), query: { limit: 200 }, signal });
    return [...new Set(body.data.map(({ suite }) => suite).filter((suite) => suite !== null))].sort();
  });
  return suites.state.value.value ?? [];
};

interface FoundProps {
  readonly runs: Paged<TestRun>;
  readonly place: ProjectPlace;
  /** The releases whose runs the reader may set aside. */
  readonly changeable: ReadonlySet<string>;
  readonly which: 'latest' | 'first';
  readonly onAll: () => void;
}

const Found = ({ runs, place, changeable, which, onAll }: FoundProps) => (
  <Shown of={runs} lines={8}>
    {({ rows }) =>
      rows.length === 0 ? (
        <Empty title="No such test run">
          <p>No test run of this project matches the filter.</p>
          <Button onClick={onAll}>Show all test runs</Button>
        </Empty>
      ) : (
        <div class="stack">
          <RunTable runs={rows} place={place} changeable={changeable} />
          <ShowMore of={runs} rows="test runs" which={which} />
        </div>
      )
    }
  </Shown>
);

interface RunTableProps {
  readonly runs: readonly TestRun[];
  readonly place: ProjectPlace;
  /** The releases whose runs the reader may set aside. */
  readonly changeable: ReadonlySet<string>;
}

const HEADS = [
  'Ran',
  'Suite',
  { number: 'Passed' },
  { number: 'Pass rate' },
  { number: 'Failed' },
  { number: 'Skipped' },
  'Commit',
  'Counts',
] as const;

/** Test runs: the result of each, and what it counts for. */
const RunTable = ({ runs, place, changeable }: RunTableProps) => (
  <Table cards label="Test runs" heads={HEADS}>
    {runs.map((run) => (
      <Row key={run.id} run={run} place={place} maySetAside={changeable.has(run.release_id)} />
    ))}
  </Table>
);

interface RowProps {
  readonly run: TestRun;
  readonly place: ProjectPlace;
  /** Whether the reader may set it aside and take that back. */
  readonly maySetAside: boolean;
}

const Row = ({ run, place, maySetAside }: RowProps) => {
  const { total, passed, failed, skipped, suite, commit_sha, url } = run;
  const errored = total - passed - failed;
  return (
    <tr>
      <th scope="row" data-head="Ran" class="when">
        <Moment at={run.ran_at} />
        <div class="small soft">{run.recorded_by}</div>
      </th>
      <td data-head="Suite" class="suite">
        {suite === null ? NONE : <bdi>{suite}</bdi>}
        {url === null ? null : (
          <div class="small">
            <a href={url} rel="noreferrer noopener" target="_blank">
              <Icon name="link" /> The run
            </a>
          </div>
        )}
      </td>
      <td data-head="Passed" class="number">
        {countText(passed)} <span class="soft">of {countText(total)}</span>
      </td>
      <td data-head="Pass rate" class="number">
        {passRateText(passed, total)}
      </td>
      <td data-head="Failed" class="number">
        {countText(failed)}
        {errored === 0 ? null : <div class="small soft">{countText(errored)} errored</div>}
      </td>
      <td data-head="Skipped" class="number">
        {skipped === null ? NONE : countText(skipped)}
      </td>
      <td data-head="Commit">{commit_sha === null ? NONE : <Commit sha={commit_sha} />}</td>
      <td data-head="Counts" class="small counts-for">
        <Counted of={run.attribution} place={place} />
        <SetAsideNote run={run} />
        {maySetAside ? (
          <div class="on-screen">
            <SetAsideActions run={run} place={place} />
          </div>
        ) : null}
      </td>
    </tr>
  );
};

const NONE = <span class="soft none">–</span>;

/** The open releases: their runs can be set aside. */
const openIdsOf = (releases: readonly Release[]): ReadonlySet<string> =>
  new Set(releases.filter(({ state }) => state === 'planned' || state === 'active').map(({ id }) => id));
