import type { Project, Release, TestRun } from '@shipworthy/client';
import type { ProjectPlace } from '../../navigation/places.js';
import { SETTINGS } from '../../navigation/places.js';
import { CopyText } from '../../parts/copy-text.js';
import { Panel } from '../../parts/page.js';
import { testCommand, testPosting } from '../../wording/report-lines.js';
import { MayNot } from './record/may-not.js';
import { RecordForm } from './record/record-form.js';

interface NoRunsProps {
  readonly project: Project;
  readonly place: ProjectPlace;
  readonly releases: readonly Release[];
  readonly member: boolean;
  readonly onRecorded: (run: TestRun) => void;
}

/** Before the first run: record one here, or let the pipeline do it. */
export const NoRuns = ({ project, place, releases, member, onRecorded }: NoRunsProps) => (
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
