import { BrokenReport } from './broken-report.js';
import { countCtrf } from './count-ctrf.js';
import { countJunit } from './count-junit.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';
import type { ReportCounts } from './report-counts.js';

/** What a browser can hold without running out of memory. */
const MOST_BYTES = 200 * 1024 * 1024;

/** By its first bytes, as XML has it; UTF-8 unless they say otherwise. */
const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
};

const textOf = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
};

/** Counts a report file in the browser: JUnit XML or CTRF JSON, told by how it begins. Nothing is sent. Throws BrokenReport. */
export const readReport = async (file: Blob): Promise<ReportCounts> => {
  if (file.size > MOST_BYTES)
    throw new BrokenReport('is larger than 200 MB; record it with `npx @shipworthy/cli tests record`');
  const text = await textOf(file);
  const start = text.search(/\S/);
  if (start === -1) throw new BrokenReport('is empty: what was to write it did not');
  if (text[start] === '{' || text[start] === '[') return countCtrf(parseJson(text));
  if (text[start] !== '<') throw new BrokenReport('is neither JUnit XML nor CTRF JSON', 1);
  return countJunit(parseXml(text));
};
