import type { Release, TestRun } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { TextField } from '../../../parts/field.js';
import { FaultNotice } from '../../../parts/notice.js';
import { CountFields } from './count-fields.js';
import { enteredCounts, type RunCounts } from './entered-counts.js';
import { NoRelease } from './no-release.js';
import './record.css';
import { openReleases, ReleaseChoice } from './release-choice.js';
import { ReportDrop } from './report-drop.js';
import { ReportPreview } from './report-preview.js';
import { timesOf } from './report-request.js';
import { useDroppedFiles } from './use-dropped-files.js';
import { useReports } from './use-reports.js';

const HERE = new Set(['/total', '/passed', '/failed', '/suite', '/release_id']);

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
