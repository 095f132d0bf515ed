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
import { mochaFormat } from './mocha.js';
import { playwrightFormat } from './playwright.js';
import { BrokenReport, type ReportFormat, type ReportReader, Tally } from './tally.js';

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
export class JsonReader implements ReportReader, JsonVisitor {
  readonly #candidates: readonly Candidate[];
  readonly #walk = new JsonWalk(this);
  /** Only jest writes this one; vitest, whose report looks the same, does not. */
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
