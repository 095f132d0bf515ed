import { Icon } from '../../../parts/icon.js';
import { Notice } from '../../../parts/notice.js';
import type { Reports } from './use-reports.js';

interface ReportDropProps {
  readonly reports: Reports;
  readonly hovering: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where report files are dropped, or chosen by keyboard, and what is wrong with those that cannot be counted. */
export const ReportDrop = ({ reports, hovering, onFiles }: ReportDropProps) => (
  <>
    <label class={hovering ? 'drop hovering' : 'drop'}>
      <input
        type="file"
        class="unseen"
        multiple
        accept=".xml,.json,.tap"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The same file may be chosen again once it is mended.
          event.currentTarget.value = '';
        }}
      />
      <Icon name="up" />
      <span>
        <span class="drop-title">Drop a report here, or choose a file</span>
        <span class="small soft" role="status">
          {reports.kind === 'reading'
            ? 'Counting …'
            : 'JUnit XML, CTRF, TAP, or the JSON of mocha, jest, vitest or playwright. It is counted here; only the counts are sent.'}
        </span>
      </span>
    </label>
    {reports.kind === 'broken' ? (
      <Notice look="bad">
        {reports.faults.map((fault) => (
          <p key={fault}>{fault}</p>
        ))}
        <p class="small">Nothing was recorded. Choose another file, or enter the counts by hand.</p>
      </Notice>
    ) : null}
  </>
);
