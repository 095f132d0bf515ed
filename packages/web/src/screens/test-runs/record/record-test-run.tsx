import type { Release, TestRun } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../../api/client.js';
import { useProject, useReleases } from '../../../api/project.js';
import { useResource } from '../../../api/resource.js';
import { useMay } from '../../../api/session.js';
import { useCreation } from '../../../api/use-action.js';
import {
  HOME,
  inProject,
  inRelease,
  type ProjectPlace,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Choice, Form, TextField } from '../../../parts/field.js';
import { Notice } from '../../../parts/notice.js';
import { Empty, PageFrame, ProjectNav } from '../../../parts/page.js';
import { Shown } from '../../../parts/shown.js';
import { isolated } from '../../../wording/isolate.js';
import { RELEASE_STATE_TITLES, readingsOf, releasesOfRecord } from '../../../wording/names.js';
import { countOf, countText, coverageText, gainText, passRateText, scoreDigits } from '../../../wording/numbers.js';
import { type Entered, enteredCounts, type RunCounts, timesOf } from './entered-counts.js';
import { ReportDrop, ReportPreview, useDroppedFiles, useReports } from './reports.js';
import '../test-runs.css';

/** Records a test run by hand or from a report file, and shows the result. */
export const RecordTestRun = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const project = useProject(place);
  const releases = useReleases(place);
  const member = useMay(teamId, 'member');
  const [recorded, setRecorded] = useState<TestRun | undefined>(undefined);
  const name = project.state.value.value?.name;
  const list = `${projectAddress(place)}/test-runs`;
  return (
    <PageFrame
      title={name ? `Record a test run of ${isolated(name)}` : project.state.value.fault && 'Record a test run'}
      crumbs={
        name === undefined
          ? []
          : [
              ['Projects', HOME],
              [name, projectAddress(place)],
              ['Test runs', list],
            ]
      }
    >
      <ProjectNav place={place} />
      <Shown of={project} lines={6}>
        {() =>
          recorded === undefined ? (
            <Shown of={releases} lines={6}>
              {(known) =>
                !member ? <MayNot /> : <RecordForm place={place} releases={known} onRecorded={setRecorded} />
              }
            </Shown>
          ) : (
            <Recorded run={recorded} place={place}>
              <Button onClick={() => setRecorded(undefined)}>Record another one</Button>
              <a href={list}>All test runs</a>
            </Recorded>
          )
        }
      </Shown>
    </PageFrame>
  );
};

interface RecordedProps {
  readonly run: TestRun;
  readonly place: ProjectPlace;
  readonly children?: ComponentChildren;
}

/** The result of a test run that was just recorded: the release it counts for, and its contribution to the score. */
export const Recorded = ({ run, place, children }: RecordedProps) => {
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => told.current?.focus(), [run.id]);
  const contribution = run.attribution.releases[0]?.contribution;
  return (
    <div ref={told} tabIndex={-1} role="status" class="recorded">
      <Notice look="good">
        <p>
          <strong>
            Recorded: {countText(run.passed)} of {countOf(run.total, 'test')} passed.
          </strong>
        </p>
        {releasesOfRecord(run.attribution).map(({ release, why }) => (
          <p key={release.id}>
            {why === null
              ? `It counts for ${isolated(release.name)}.`
              : `It does not count for ${isolated(release.name)}: ${why}.`}
          </p>
        ))}
        {contribution === undefined ? null : (
          <Change contribution={contribution} place={{ ...place, releaseId: run.release_id }} />
        )}
        <div class="row">
          <a class="button main" href={releaseAddress({ ...place, releaseId: run.release_id })}>
            See the scorecard
          </a>
          {children}
        </div>
      </Notice>
    </div>
  );
};

type Contribution = NonNullable<TestRun['attribution']['releases'][number]['contribution']>;

interface ChangeProps {
  readonly contribution: Contribution;
  readonly place: ReleasePlace;
}

/** The run's contribution to the score, with the score's coverage. */
const Change = ({ contribution, place }: ChangeProps) => {
  const coverage = useResource(releaseKey(place, 'coverage'), async (signal) => {
    const { body } = await client.readReadiness({ path: inRelease(place), signal });
    return coverageText(readingsOf(body.data));
  });
  const measured = coverage.state.value.value;
  const { score_with: after, score_without: before } = contribution;
  const gained = before === null || after === null ? 0 : after - before;
  return (
    <p>
      Readiness{' '}
      <span class="number">
        {scored(before)} <span aria-hidden="true">→</span>
        <span class="unseen">became</span> <strong>{scored(after)}</strong>
        {gained > 0 ? ` (${gainText(gained)})` : null}
      </span>
      {measured === undefined ? null : `, ${measured}`}
    </p>
  );
};

const scored = (score: number | null): string => (score === null ? 'not measured' : scoreDigits(score));

interface RecordFormProps {
  readonly place: ProjectPlace;
  readonly releases: readonly Release[];
  readonly onRecorded: (run: TestRun) => void;
}

/** Records a test run: its two counts by hand, or those of a report file. */
export const RecordForm = ({ place, releases, onRecorded }: RecordFormProps) => {
  const [form, setForm] = useState({ total: '', passed: '', suite: '' });
  const [picked, setPicked] = useState<Release | undefined>(undefined);
  const offered = useRef<Release | undefined>(undefined);
  const [tried, setTried] = useState(false);
  const { reports, readFiles, clear } = useReports();
  const hovering = useDroppedFiles((files) => void readFiles(files));
  const record = useCreation(async (keyed, counts: RunCounts, release: Release) => {
    const { body } = await client.recordTestRun(
      keyed({
        path: inProject(place),
        query: { contribution: true },
        body: {
          total: counts.total,
          passed: counts.passed,
          failed: counts.failed,
          release_id: release.id,
          ...(form.suite === '' ? {} : { suite: form.suite }),
          ...(reports.kind === 'read' ? timesOf(reports.counts) : {}),
        },
      }),
    );
    onRecorded(body.data);
  });
  const open = openReleases(releases);
  const isBegun = form.total !== '' || form.passed !== '' || form.suite !== '' || reports.kind !== 'none';
  // The active release is offered until something is entered. From then on the release that is shown is kept: a run must
  // not go to another one because somewhere else the shown one was shipped or canceled.
  if (offered.current === undefined || !isBegun) offered.current = open[0];
  const chosen = picked ?? offered.current;
  if (chosen === undefined || open.length === 0) return <NoRelease place={place} />;
  const isOpen = open.some(({ id }) => id === chosen.id);
  const entered = enteredCounts(form.total, form.passed);
  const counts = reports.kind === 'read' ? reports.counts : entered.counts;
  const { fault } = record;
  return (
    <Form
      look="panel stack wide record"
      fault={fault}
      fields={FIELDS}
      onSubmit={() => {
        setTried(true);
        return counts === null || !isOpen ? undefined : record.run(counts, chosen);
      }}
    >
      {reports.kind === 'read' ? (
        <ReportPreview names={reports.names} counts={reports.counts} onClear={clear} />
      ) : (
        <>
          <CountFields
            form={form}
            entered={entered}
            tried={tried}
            refused={fault?.fields ?? {}}
            onChange={(change) => setForm({ ...form, ...change })}
          />
          <p class="or">or</p>
          <ReportDrop reports={reports} hovering={hovering} onFiles={(files) => void readFiles(files)} />
        </>
      )}
      <TextField
        label="Suite (optional)"
        hint="Where a project has several, such as unit or end to end."
        value={form.suite}
        onValue={(suite) => setForm({ ...form, suite })}
        wrong={fault?.fields['/suite']}
      />
      <ReleaseChoice
        open={open}
        chosen={chosen}
        place={place}
        wrong={
          isOpen ? fault?.fields['/release_id'] : `${isolated(chosen.name)} is no longer open. Choose another release.`
        }
        onChoose={(id) => setPicked(open.find((each) => each.id === id) ?? chosen)}
      />
      <div>
        <Button submit look="main" busy={record.running}>
          Record test run
        </Button>
      </div>
    </Form>
  );
};

const FIELDS = ['/total', '/passed', '/failed', '/suite', '/release_id'];

/** Releases a test run may count for: the active one first. */
const openReleases = (releases: readonly Release[]): readonly Release[] => [
  ...releases.filter(({ state }) => state === 'active'),
  ...releases.filter(({ state }) => state === 'planned'),
];

/** A test run always belongs to a release; without an open one there is nothing to record for. */
const NoRelease = ({ place }: { readonly place: ProjectPlace }) => (
  <Empty title="No release is open">
    <p>A test run belongs to a release. Open the project, create a release and press Activate; then record the run.</p>
    <a class="button main" href={projectAddress(place)}>
      Open the project
    </a>
  </Empty>
);

interface CountFieldsProps {
  readonly form: { readonly total: string; readonly passed: string };
  readonly entered: Entered;
  /** Whether the person tried to send the form: only then an empty field is marked as a fault. */
  readonly tried: boolean;
  /** The faults the server found, by JSON pointer. */
  readonly refused: Readonly<Record<string, string>>;
  readonly onChange: (change: { readonly total?: string; readonly passed?: string }) => void;
}

/** The two numbers that are needed; the third follows from them. */
const CountFields = ({ form, entered, tried, refused, onChange }: CountFieldsProps) => {
  const { counts } = entered;
  const wrong = entered.counts === null ? entered.wrong : {};
  const shown = (field: 'total' | 'passed') =>
    (tried || form[field] !== '' ? wrong[field] : undefined) ?? refused[`/${field}`];
  return (
    <fieldset class="stack">
      <legend class="unseen">Counts by hand</legend>
      <div class="count-fields">
        <TextField
          label="Passed"
          inputMode="numeric"
          autocomplete="off"
          value={form.passed}
          onValue={(passed) => onChange({ passed })}
          wrong={shown('passed')}
        />
        <TextField
          label="Total"
          inputMode="numeric"
          autocomplete="off"
          value={form.total}
          onValue={(total) => onChange({ total })}
          wrong={shown('total') ?? refused['/failed']}
        />
      </div>
      <p class="soft number" role="status">
        {counts === null
          ? 'Tests that did not pass count as failed.'
          : `${countText(counts.failed)} of ${countOf(counts.total, 'test')} failed: ${passRateText(counts.passed, counts.total)} passed.`}
      </p>
    </fieldset>
  );
};

interface ReleaseChoiceProps {
  /** Open ones, one at least. */
  readonly open: readonly Release[];
  /** As it was when it was chosen; by now it may be open no more. */
  readonly chosen: Release;
  readonly place: ProjectPlace;
  readonly wrong: string | undefined;
  readonly onChoose: (releaseId: string) => void;
}

/** Which release the run counts for, by name. */
const ReleaseChoice = ({ open, chosen, place, wrong, onChoose }: ReleaseChoiceProps) => {
  const present = open.find(({ id }) => id === chosen.id);
  return (
    <>
      {open[0]?.state === 'active' ? null : (
        <Notice look="attention">
          <p>
            No release is active. The run goes to the planned one chosen here; to make it the active one, press Activate
            on <a href={projectAddress(place)}>the project's page</a>.
          </p>
        </Notice>
      )}
      {open.length === 1 && present !== undefined ? (
        <p>
          Counts for <bdi>{present.name}</bdi>, the {present.state} release.
        </p>
      ) : (
        <Choice
          label="Counts for release"
          value={chosen.id}
          wrong={wrong}
          choices={[
            ...(present === undefined ? [[chosen.id, `${isolated(chosen.name)} (no longer open)`] as const] : []),
            ...open.map(
              ({ id, name, state }) =>
                [id, `${isolated(name)} (${RELEASE_STATE_TITLES[state].toLowerCase()})`] as const,
            ),
          ]}
          onValue={onChoose}
        />
      )}
    </>
  );
};

/** Shown to people who may not record. */
export const MayNot = () => (
  <Notice look="attention">
    <p>You can see the test runs of this team, but not record them. Ask an owner of the team to make you a member.</p>
  </Notice>
);
