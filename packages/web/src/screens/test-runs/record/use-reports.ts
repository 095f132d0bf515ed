import { BrokenReport, type ReportCounts, readReport, sumOf, type TestCounts } from '@shipworthy/test-reports';
import { useRef, useState } from 'preact/hooks';
import { countText } from '../../../wording/numbers.js';

/** Report files on their way from the disk to a preview. */
export type Reports =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'broken'; readonly faults: readonly string[] }
  | { readonly kind: 'read'; readonly names: readonly string[]; readonly counts: TestCounts };

const faultOf = (name: string, error: unknown): string => {
  if (!(error instanceof BrokenReport)) return `${name} cannot be read.`;
  return `${name} ${error.message}${error.line === undefined ? '' : ` (line ${error.line})`}.`;
};

const emptyFault = (names: readonly string[], { skipped }: TestCounts): string => {
  if (skipped === 0) return `No test is in ${names.join(', ')}.`;
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

const readAll = async (files: readonly File[]): Promise<Reports> => {
  const counts: ReportCounts[] = [];
  const faults: string[] = [];
  for (const file of files) {
    try {
      const read = await readReport(piecesOf(file), 'auto');
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
