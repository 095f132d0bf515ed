import { CoveredLines, type Measurement } from './measurement.js';
import { BrokenReport } from './tally.js';

const LONGEST_LINE = 1024 * 1024;
/** What a tracefile may hold beside lines of code, by geninfo(1): tests, functions, branches, conditions and their sums. */
const OTHERS = /^(TN|VER|FN|FNDA|FNF|FNH|FNL|FNA|BRDA|BRF|BRH|MCDC|MCF|MCH):/;
const DATA = /^DA:(\d{1,9}),(-?\d+)(,.*)?$/;
const SUM = /^(LF|LH):(\d{1,10})$/;

/** What is read of a file so far. */
interface LcovRecord {
  readonly file: string;
  /** Its lines, and whether each is covered. */
  readonly lines: Map<number, boolean>;
  found: number | undefined;
  hit: number | undefined;
}

/** Reads tracefiles of lcov, as gcov, istanbul, c8, node:test, coverage.py, llvm-cov and their kin write them. */
export class LcovReader {
  readonly #all = new CoveredLines();
  #rest = '';
  #line = 0;
  #record: LcovRecord | undefined;

  write(piece: string): void {
    const [first = '', ...others] = piece.split('\n');
    this.#rest += first;
    if (this.#rest.length > LONGEST_LINE) this.#break('has a line that is no line of lcov');
    for (const line of others) {
      this.#read(this.#rest);
      this.#rest = line;
    }
  }

  end(): Measurement {
    if (this.#rest !== '') this.#read(this.#rest);
    if (this.#record !== undefined) this.#break('is cut short: the last file does not end');
    return this.#all.end('lcov');
  }

  #break(what: string): never {
    throw new BrokenReport(what, this.#line);
  }

  #read(raw: string): void {
    this.#line += 1;
    const line = raw.trimEnd();
    if (line === '' || line.startsWith('#') || OTHERS.test(line)) return;
    if (line.startsWith('SF:')) this.#open(line.slice(3));
    else if (line === 'end_of_record') this.#close();
    else this.#readFigure(line);
  }

  #open(file: string): void {
    if (this.#record !== undefined) this.#break('begins a file before the one before it ends');
    this.#record = { file, lines: new Map(), found: undefined, hit: undefined };
  }

  #close(): void {
    const record = this.#record;
    if (record === undefined) this.#break('ends a file that does not begin');
    let covered = 0;
    for (const [number, isCovered] of record.lines) {
      this.#all.add(record.file, number, isCovered);
      if (isCovered) covered += 1;
    }
    const claimed = { lines: record.found, covered: record.hit };
    this.#all.compare(record.file, claimed, { lines: record.lines.size, covered });
    this.#record = undefined;
  }

  #readFigure(line: string): void {
    const [, number, hits] = DATA.exec(line) ?? [];
    const [, name, sum] = SUM.exec(line) ?? [];
    if (number === undefined && name === undefined) this.#break('has a line that is no line of lcov');
    const record = this.#record;
    if (record === undefined) this.#break('says something of lines outside of a file');
    if (name === 'LF') record.found = Number(sum);
    else if (name === 'LH') record.hit = Number(sum);
    // Some writers give a negative count for what ran in parallel: it does not prove that the line ran.
    else record.lines.set(Number(number), record.lines.get(Number(number)) === true || Number(hits) > 0);
  }
}
