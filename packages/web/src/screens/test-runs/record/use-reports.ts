import { useRef, useState } from 'preact/hooks';
import { countText } from '../../../wording/numbers.js';
import { BrokenReport } from '../report/broken-report.js';
import { readReport } from '../report/read-report.js';
import { type ReportCounts, sumOf } from '../report/report-counts.js';

/** Report files on their way from the disk to a preview. */
export type Reports =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'broken'; readonly faults: readonly string[] }
  | { readonly kind: 'read'; readonly names: readonly string[]; readonly counts: ReportCounts };

const faultOf = (name: string, error: unknown): string => {
  if (!(error instanceof BrokenReport)) return `${name} cannot be read.`;
  return `${name} ${error.what}${error.line === undefined ? '' : ` (line ${error.line})`}.`;
};

const emptyFault = (names: readonly string[], { skipped }: ReportCounts): string => {
  if (skipped === 0) return `No test is in ${names.join(', ')}.`;
  return `No test ran: ${skipped === 1 ? 'the only one was' : `all ${countText(skipped)} were`} skipped.`;
};

const readAll = async (files: readonly File[]): Promise<Reports> => {
  const counts: ReportCounts[] = [];
  const faults: string[] = [];
  for (const file of files) {
    try {
      const read = await readReport(file);
      counts.push({ ...read, doubts: read.doubts.map((doubt) => `${file.name}: ${doubt}.`) });
    } catch (error) {
      faults.push(faultOf(file.name, error));
    }
  }
  if (faults.length > 0) return { kind: 'broken', faults };
  const names = files.map(({ name }) => name);
  const sum = sumOf(counts);
  return sum.total === 0 ? { kind: 'broken', faults: [emptyFault(names, sum)] } : { kind: 'read', names, counts: sum };
};

/** Reads report files, several as one run; nothing leaves the browser. */
export const useReports = () => {
  const [reports, setReports] = useState<Reports>({ kind: 'none' });
  const turn = useRef(0);
  const take = async (files: readonly File[]): Promise<void> => {
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
  return { reports, take, clear };
};
