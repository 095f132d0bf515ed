import type { Release, TestRun } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace, projectAddress } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Choice, TextField } from '../../../parts/field.js';
import { FaultNotice, Notice } from '../../../parts/notice.js';
import { Empty } from '../../../parts/page.js';
import { RELEASE_STATE_TITLES } from '../../../wording/names.js';
import { countOf, countText, passRateText } from '../../../wording/numbers.js';
import { type Entered, enteredCounts, type RunCounts, timesOf } from './entered-counts.js';
import { ReportDrop, ReportPreview, useDroppedFiles, useReports } from './reports.js';
import '../test-runs.css';

interface RecordFormProps {
  readonly place: ProjectPlace;
  readonly releases: readonly Release[];
  readonly onRecorded: (run: TestRun) => void;
}

/** Records a test run: its two counts by hand, or those of a report file. */
export const RecordForm = ({ place, releases, onRecorded }: RecordFormProps) => {
  const [form, setForm] = useState({ total: '', passed: '', suite: '' });
  const [releaseId, setReleaseId] = useState('');
  const [tried, setTried] = useState(false);
  const { reports, take, clear } = useReports();
  const hovering = useDroppedFiles((files) => void take(files));
  const record = useAction(async (counts: RunCounts, release: Release) => {
    const { body } = await client.recordTestRun({
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
    });
    onRecorded(body.data);
  });
  const open = openReleases(releases);
  const chosen = open.find(({ id }) => id === releaseId) ?? open[0];
  if (chosen === undefined) return <NoRelease place={place} />;
  const entered = enteredCounts(form.total, form.passed);
  const counts = reports.kind === 'read' ? reports.counts : entered.counts;
  const { fault } = record;
  const elsewhere = Object.entries(fault?.fields ?? {}).filter(([pointer]) => !HERE.has(pointer));
  return (
    <form
      class="panel stack wide record"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (counts !== null) void record.run(counts, chosen);
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
          <ReportDrop reports={reports} hovering={hovering} onFiles={(files) => void take(files)} />
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
        wrong={fault?.fields['/release_id']}
        onChoose={setReleaseId}
      />
      {fault === undefined ? null : <FaultNotice fault={{ ...fault, fields: Object.fromEntries(elsewhere) }} />}
      <div>
        <Button submit look="main" busy={record.running}>
          Record test run
        </Button>
      </div>
    </form>
  );
};

const HERE = new Set(['/total', '/passed', '/failed', '/suite', '/release_id']);

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
  /** Whether it was sent before: until then nobody is told that a field is empty. */
  readonly tried: boolean;
  /** What the server refused, by JSON pointer. */
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
  readonly chosen: Release;
  readonly place: ProjectPlace;
  readonly wrong: string | undefined;
  readonly onChoose: (releaseId: string) => void;
}

/** Which release the run counts for, by name. */
const ReleaseChoice = ({ open, chosen, place, wrong, onChoose }: ReleaseChoiceProps) => (
  <>
    {open[0]?.state === 'active' ? null : (
      <Notice look="attention">
        <p>
          No release is active. The run goes to the planned one chosen here; to make it the active one, press Activate
          on <a href={projectAddress(place)}>the project's page</a>.
        </p>
      </Notice>
    )}
    {open.length === 1 ? (
      <p>
        Counts for <strong>{chosen.name}</strong>, the {chosen.state} release.
      </p>
    ) : (
      <Choice
        label="Counts for release"
        value={chosen.id}
        wrong={wrong}
        choices={open.map(
          ({ id, name, state }) => [id, `${name} (${RELEASE_STATE_TITLES[state].toLowerCase()})`] as const,
        )}
        onValue={onChoose}
      />
    )}
  </>
);

/** For people who may look only. */
export const MayNot = () => (
  <Notice look="attention">
    <p>You can see the test runs of this team, and record none. Ask an owner of the team to make you a member.</p>
  </Notice>
);
