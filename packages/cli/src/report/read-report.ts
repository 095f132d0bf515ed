import { BrokenReport } from './broken-report.js';
import { decodePieces } from './decode-pieces.js';
import { JsonReader } from './json/read-json.js';
import { JunitReader } from './junit/read-junit.js';
import type { ReportCounts, ReportFormat, ReportReader } from './report-counts.js';
import { TapReader } from './tap/read-tap.js';
import { withoutColours } from './tap/tap-line.js';

const readerOf = (format: ReportFormat): ReportReader => {
  if (format === 'junit') return new JunitReader();
  return format === 'tap' ? new TapReader() : new JsonReader(format);
};

/** The reader for a report that begins so; the text is not blank. */
const readerFor = (beginning: string): ReportReader => {
  if (beginning.startsWith('<')) return new JunitReader();
  if (beginning.startsWith('{') || beginning.startsWith('[')) return new JsonReader(undefined);
  if (/^(TAP version 1|1\.\.\d|(not )?ok\b|#|Bail out!)/.test(withoutColours(beginning).trimStart()))
    return new TapReader();
  throw new BrokenReport('is no report that is known: it begins neither as XML nor as JSON nor as TAP', 1);
};

/** Characters by which every kind of report is told from the others, colours for a terminal included. */
const BEGINNING = 64;

/** A reader that has read the beginning. */
const begun = (held: string, format: ReportFormat | 'auto'): ReportReader => {
  const beginning = held.trimStart();
  const reader = format === 'auto' ? readerFor(beginning) : readerOf(format);
  // Lines are counted from the first one; only XML objects to blanks before its declaration.
  reader.write(reader instanceof JunitReader ? beginning : held);
  return reader;
};

/**
 * Counts a report as it streams by; memory does not grow with it, save for 64 bits of each test of a JUnit suite, by which
 * attempts are told from tests. `auto` recognises the format by its first characters and members. Throws BrokenReport.
 */
export const readReport = async (
  pieces: AsyncIterable<Uint8Array>,
  format: ReportFormat | 'auto',
): Promise<ReportCounts> => {
  let reader: ReportReader | undefined;
  let held = '';
  for await (const piece of decodePieces(pieces)) {
    if (reader !== undefined) reader.write(piece);
    else {
      held = held === '' ? piece.replace(/^\ufeff/, '') : held + piece;
      const beginning = held.trimStart();
      if (beginning.length < BEGINNING) continue;
      reader = begun(held, format);
      held = '';
    }
  }
  if (reader !== undefined) return reader.end();
  if (held.trim() === '') throw new BrokenReport('is empty: what was to write it did not');
  return begun(held, format).end();
};
