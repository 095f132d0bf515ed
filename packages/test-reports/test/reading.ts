import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readReport } from '../src/read-report.js';
import { BrokenReport, type ReportCounts, type ReportFormat } from '../src/tally.js';

/** The folder of these tests' source, where the samples and the tools' reports are. */
export const ROOM = fileURLToPath(new URL('../../test/', import.meta.url));

/** Bytes in pieces of so many. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Counts a report that is at hand. */
export const read = (
  report: string | Uint8Array,
  format: ReportFormat | 'auto' = 'auto',
  size = 7,
): Promise<ReportCounts> =>
  readReport(inPieces(typeof report === 'string' ? Buffer.from(report) : report, size), format);

/** Counts a report of a tool. */
export const readTool = (name: string, format: ReportFormat | 'auto' = 'auto'): Promise<ReportCounts> =>
  readReport(createReadStream(join(ROOM, 'from-tools', name)), format);

/** Passed, failed, errored, skipped. */
export const figures = ({ total, passed, failed, skipped }: ReportCounts): readonly number[] => [
  passed,
  failed,
  total - passed - failed,
  skipped,
];

/** What is wrong with a broken report, as `line: sentence`. */
export const faultOf = async (
  report: string | Uint8Array,
  format: ReportFormat | 'auto' = 'auto',
  size = 7,
): Promise<string> => {
  try {
    return `counted ${JSON.stringify(await read(report, format, size))}`;
  } catch (error) {
    if (error instanceof BrokenReport) return `${error.line ?? '-'}: ${error.message}`;
    throw error;
  }
};
