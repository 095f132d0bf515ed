import { BrokenReport, type ReportCounts, readReport, sumOf, type TestCounts } from '@shipworthy/test-reports';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { Notice } from '../../../parts/notice.js';
import { isolated } from '../../../wording/isolate.js';
import { durationText, momentText } from '../../../wording/moments.js';
import { countText, passRateText } from '../../../wording/numbers.js';

interface ReportDropProps {
  readonly reports: ReportsState;
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
          // Otherwise the browser reports no change when the same file, now corrected, is chosen again.
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

interface ReportPreviewProps {
  readonly names: readonly string[];
  readonly counts: TestCounts;
  readonly onClear: () => void;
}

/** The counts of a report before it is sent. */
export const ReportPreview = ({ names, counts, onClear }: ReportPreviewProps) => {
  const { total, passed, failed, errored, skipped, doubts, durationSeconds, ranAt } = counts;
  const figures: readonly (readonly [string, string])[] = [
    ['Passed', countText(passed)],
    ['Failed', countText(failed)],
    ...(errored === 0 ? [] : [['Errored', countText(errored)] as const]),
    ['Skipped', countText(skipped)],
    ['Pass rate', passRateText(passed, total)],
  ];
  return (
    <section class="stack" aria-label="Counts of the report">
      <div class="row apart">
        <p>
          <strong class="file-names">{names.map(isolated).join(', ')}</strong>
          <br />
          <span class="small soft">
            {countText(total)} tests ran
            {durationSeconds === undefined ? '' : `, in ${durationText(durationSeconds)}`}
            {ranAt === undefined ? '' : `, until ${momentText(ranAt)}`}
          </span>
        </p>
        <Button compact onClick={onClear}>
          Enter by hand instead
        </Button>
      </div>
      {doubts.length === 0 ? null : (
        <Notice look="attention">
          {doubts.map((doubt) => (
            <p key={doubt}>{doubt}</p>
          ))}
          <p class="small">What the report does not list is counted as errors.</p>
        </Notice>
      )}
      <dl class="figures">
        {figures.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd class="number">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

/** Report files on their way from the disk to a preview. */
type ReportsState =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'broken'; readonly faults: readonly string[] }
  | { readonly kind: 'read'; readonly names: readonly string[]; readonly counts: TestCounts };

const fileFaultText = (name: string, error: unknown): string => {
  if (!(error instanceof BrokenReport)) return `${isolated(name)} cannot be read.`;
  return `${isolated(name)} ${error.message}${error.line === undefined ? '' : ` (line ${error.line})`}.`;
};

const emptyFault = (names: readonly string[], { skipped }: TestCounts): string => {
  if (skipped === 0) return `No test is in ${names.map(isolated).join(', ')}.`;
  return `No test ran: ${skipped === 1 ? 'the only one was' : `all ${countText(skipped)} were`} skipped.`;
};

async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

const readAll = async (files: readonly File[]): Promise<ReportsState> => {
  const counts: ReportCounts[] = [];
  const faults: string[] = [];
  for (const file of files) {
    try {
      const read = await readReport(piecesOf(file), 'auto');
      counts.push({ ...read, doubts: read.doubts.map((doubt) => `${isolated(file.name)}: ${doubt}.`) });
    } catch (error) {
      faults.push(fileFaultText(file.name, error));
    }
  }
  if (faults.length > 0) return { kind: 'broken', faults };
  const names = files.map(({ name }) => name);
  const sum = sumOf(counts);
  return sum.total === 0 ? { kind: 'broken', faults: [emptyFault(names, sum)] } : { kind: 'read', names, counts: sum };
};

/** Reads report files, several as one run; nothing leaves the browser. */
export const useReports = () => {
  const [reports, setReports] = useState<ReportsState>({ kind: 'none' });
  const turn = useRef(0);
  const readFiles = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return;
    turn.current += 1;
    const mine = turn.current;
    setReports({ kind: 'reading' });
    const found = await readAll(files);
    if (mine === turn.current) setReports(found);
  };
  const clear = () => {
    turn.current += 1;
    setReports({ kind: 'none' });
  };
  return { reports, readFiles, clear };
};

/** Takes files that are dropped anywhere on the screen; returns whether files are being dragged over it. */
export const useDroppedFiles = (onFiles: (files: readonly File[]) => void): boolean => {
  const [hovering, setHovering] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      // Otherwise the browser would open the file in place of the application.
      event.preventDefault();
      setHovering(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHovering(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setHovering(false);
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return hovering;
};
