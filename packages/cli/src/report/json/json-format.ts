import type { ReportTimes } from '../report-counts.js';
import type { Tally } from '../tally.js';
import type { JsonVisitor } from './json-walk.js';

/** What reads one format of JSON reports: it counts into its tally as the document goes by. */
export interface JsonFormatReader extends JsonVisitor {
  /** After the last piece: counts what only the end shows, and answers what was said about time. */
  finish(): ReportTimes;
}

/** One format of JSON reports. */
export interface JsonFormat {
  readonly name: 'ctrf' | 'mocha' | 'jest' | 'playwright';
  /** The list that every report of this format holds, by which it is recognised: path of member names. */
  readonly list: readonly string[];
  readonly read: (tally: Tally) => JsonFormatReader;
}
