import { CoberturaReader } from './cobertura.js';
import { ctrfFormat } from './ctrf.js';
import { jestFormat } from './jest.js';
import {
  type JsonFormat,
  type JsonFormatReader,
  type JsonPath,
  type JsonVisitor,
  JsonWalk,
  pathInWords,
} from './json-walk.js';
import { JunitReader } from './junit.js';
import { LcovReader } from './lcov.js';
import { LighthouseReader } from './lighthouse.js';
import type { Measurement } from './measurement.js';
import { mochaFormat } from './mocha.js';
import { playwrightFormat } from './playwright.js';
import { BrokenReport, type ReportCounts, type ReportFormat, type ReportReader, Tally } from './tally.js';
import { TapReader, withoutColours } from './tap.js';

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
      if (beginning.length < BEGINNING && held.length > MOST_BLANKS)
        throw new BrokenReport('begins with nothing but blanks: what was to write it did not');
      if (beginning.length < BEGINNING) continue;
      reader = begun(held, format);
      held = '';
    }
  }
  if (reader !== undefined) return reader.end();
  if (held.trim() === '') throw new BrokenReport('is empty: what was to write it did not');
  return begun(held, format).end();
};

const readerOf = (format: ReportFormat): ReportReader => {
  if (format === 'junit') return new JunitReader();
  return format === 'tap' ? new TapReader() : new JsonReader(format);
};

/** Returns the reader for a report with this beginning, which is not blank. */
const readerFor = (beginning: string): ReportReader => {
  if (beginning.startsWith('<')) return new JunitReader();
  if (beginning.startsWith('{') || beginning.startsWith('[')) return new JsonReader(undefined);
  if (/^(TAP version 1|1\.\.\d|(not )?ok\b|#|Bail out!)/.test(withoutColours(beginning).trimStart()))
    return new TapReader();
  throw new BrokenReport('is no report that is known: it begins neither as XML nor as JSON nor as TAP', 1);
};

/** Number of characters that are enough to recognise every kind of report, including colours for a terminal. */
const BEGINNING = 64;
/** Most blanks at the beginning. Each piece of them is searched with all before it, so more would take long. */
const MOST_BLANKS = 1_048_576;

/** Makes a reader and gives it the beginning. */
const begun = (held: string, format: ReportFormat | 'auto'): ReportReader => {
  const beginning = held.trimStart();
  const reader = format === 'auto' ? readerFor(beginning) : readerOf(format);
  // Blank lines at the start are kept for the line numbers; only XML allows no blanks before its declaration.
  reader.write(reader instanceof JunitReader ? beginning : held);
  return reader;
};

/** The encoding that the first bytes show: by their mark, or by the position of the zero bytes of a first ASCII character. */
const encodingOf = ([first, second, third, fourth]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-32' : 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second === 0) return 'utf-32';
  if (first === 0 && second !== undefined) return 'utf-16be';
  if (first !== undefined && second === 0) return third === 0 ? 'utf-32' : 'utf-16le';
  return 'utf-8';
};

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
};

/**
 * Turns bytes into text: UTF-8 and UTF-16, with or without a byte order mark, which is left out. Invalid bytes become
 * U+FFFD. Throws BrokenReport for UTF-32.
 */
async function* decodePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let head = new Uint8Array();
  for await (const piece of pieces) {
    const bytes: Uint8Array = head.length === 0 ? piece : joined(head, piece);
    head = new Uint8Array();
    // Four bytes show the encoding, and a piece may be shorter.
    if (decoder === undefined && bytes.length < 4) head = Uint8Array.from(bytes);
    else {
      decoder ??= decoderFor(bytes);
      yield decoder.decode(bytes, { stream: true });
    }
  }
  if (decoder === undefined && head.length > 0) yield decoderFor(head).decode(head);
  else if (decoder !== undefined) yield decoder.decode();
}

const decoderFor = (bytes: Uint8Array) => {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-32') throw new BrokenReport('is encoded in UTF-32; write it in UTF-8 or UTF-16', 1);
  return new TextDecoder(encoding);
};

const JSON_FORMATS: readonly JsonFormat[] = [ctrfFormat, mochaFormat, jestFormat, playwrightFormat];

interface Candidate {
  readonly format: JsonFormat;
  readonly tally: Tally;
  readonly reader: JsonFormatReader;
  isThere: boolean;
  /** Thrown once the format is known to be this one. */
  fault: BrokenReport | undefined;
}

const leadsTo = (path: JsonPath, { list }: JsonFormat): boolean =>
  path.length === list.length && list.every((name, at) => path[at] === name);

/** Reads a JSON report of one format, or of the one it turns out to be: by the list of tests that only that format has. */
class JsonReader implements ReportReader, JsonVisitor {
  readonly #candidates: readonly Candidate[];
  readonly #walk = new JsonWalk(this);
  /** Whether `numRuntimeErrorTestSuites` was read: jest writes it; vitest, whose report looks the same, does not. */
  #isJest = false;

  constructor(private readonly wanted: ReportFormat | undefined) {
    const name = wanted === 'vitest' ? 'jest' : wanted;
    this.#candidates = JSON_FORMATS.filter((format) => name === undefined || format.name === name).map((format) => {
      const tally = new Tally();
      const refuse = (what: string) => {
        candidate.fault ??= new BrokenReport(what, this.#walk.line);
      };
      const candidate: Candidate = {
        format,
        tally,
        reader: format.read(tally, refuse),
        isThere: false,
        fault: undefined,
      };
      return candidate;
    });
  }

  open(path: JsonPath, kind: 'object' | 'list'): void {
    if (path.length === 0 && kind === 'list') throw new BrokenReport('is a JSON list; a report is an object', 1);
    for (const candidate of this.#candidates) {
      candidate.isThere ||= kind === 'list' && leadsTo(path, candidate.format);
      this.#require(candidate, path, kind);
      candidate.reader.open(path, kind);
    }
  }

  value(path: JsonPath, value: string | number | boolean | null): void {
    if (path.length === 1 && path[0] === 'numRuntimeErrorTestSuites') this.#isJest = true;
    for (const candidate of this.#candidates) {
      this.#require(candidate, path, 'plain value');
      candidate.reader.value(path, value);
    }
  }

  close(path: JsonPath): void {
    for (const { reader } of this.#candidates) reader.close(path);
  }

  write(piece: string): void {
    this.#walk.write(piece);
  }

  end() {
    this.#walk.end();
    const [only, another] = this.#candidates.filter(({ isThere }) => isThere);
    if (only === undefined)
      throw new BrokenReport(`is no ${this.#names()} report: the list ${this.#lists()} is missing`);
    if (another !== undefined)
      throw new BrokenReport(
        `may be a ${only.format.name} or a ${another.format.name} report; shipworthy tests record --format says which`,
      );
    const times = only.reader.finish();
    if (only.fault !== undefined) throw only.fault;
    const name = only.format.name === 'jest' && !this.#isJest ? 'vitest' : only.format.name;
    return only.tally.counts(this.wanted ?? name, times);
  }

  #require(candidate: Candidate, path: JsonPath, kind: 'object' | 'list' | 'plain value'): void {
    const wanted = candidate.format.shape(path);
    if (wanted === undefined || wanted === kind) return;
    candidate.fault ??= new BrokenReport(
      `is not as its format has it: ${pathInWords(path)} is no ${wanted}`,
      this.#walk.line,
    );
  }

  #names(): string {
    return this.wanted ?? JSON_FORMATS.map(({ name }) => name).join(', ');
  }

  #lists(): string {
    return this.#candidates.map(({ format }) => format.list.join('.')).join(' or ');
  }
}

/** The decoded pieces without a byte order mark and the blanks before the first character. */
async function* fromFirstCharacter(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun = false;
  for await (const piece of decodePieces(pieces)) {
    const text = begun ? piece : piece.replace(/^[\ufeff\s]+/, '');
    if (text === '') continue;
    begun = true;
    yield text;
  }
}

/**
 * Counts the covered lines in a report of lcov or Cobertura, told apart by the first character, as it streams by;
 * memory grows with the number of lines of code. Throws BrokenReport if it is empty, cut short, lists no line or is of
 * another kind.
 */
export const readCoverage = async (pieces: AsyncIterable<Uint8Array>): Promise<Measurement> => {
  let reader: LcovReader | CoberturaReader | undefined;
  for await (const piece of fromFirstCharacter(pieces)) {
    reader ??= piece.startsWith('<') ? new CoberturaReader() : new LcovReader();
    reader.write(piece);
  }
  if (reader === undefined) throw new BrokenReport('is empty: what was to write it did not');
  return reader.end();
};

/**
 * Reads the score of a category, in hundredths, from a report of Lighthouse in JSON.
 * Throws BrokenReport if it is empty, no such report, or has no score of that category.
 */
export const readLighthouse = async (pieces: AsyncIterable<Uint8Array>, category: string): Promise<Measurement> => {
  let reader: LighthouseReader | undefined;
  for await (const piece of fromFirstCharacter(pieces)) {
    reader ??= new LighthouseReader();
    reader.write(piece);
  }
  if (reader === undefined) throw new BrokenReport('is empty: what was to write it did not');
  return reader.end(category);
};
