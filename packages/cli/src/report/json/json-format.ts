import type { ReportTimes } from '../report-counts.js';
import type { Tally } from '../tally.js';
import type { JsonPath, JsonVisitor } from './json-walk.js';

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
  /** What must be at that path for tests and failures not to go uncounted; undefined where anything may be. */
  readonly shape: (path: JsonPath) => 'object' | 'list' | 'plain value' | undefined;
  /** `refuse` calls the report broken: its format is this one, and it cannot be counted. */
  readonly read: (tally: Tally, refuse: (what: string) => void) => JsonFormatReader;
}

/** A path in words: `results.tests[2]`. */
export const pathInWords = (path: JsonPath): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');
