import { Tokenizer, TokenType } from '@streamparser/json';
import { BrokenReport, type ReportTimes, type Tally } from './tally.js';

type JsonKey = string | number;
/** The position of a value from the root: names of members and indices of items. Only valid during the call. */
export type JsonPath = readonly JsonKey[];
export type JsonLeaf = string | number | boolean | null;

/** Is called for the parts of a JSON document as they are read; nothing of it is kept. */
export interface JsonVisitor {
  /** An object or a list begins. */
  open(path: JsonPath, kind: 'object' | 'list'): void;
  value(path: JsonPath, value: JsonLeaf): void;
  /** An object or a list ended. */
  close(path: JsonPath): void;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

const DEEPEST = 1000;
/** No report has an object like this; remembering the names of a larger one would take more memory than reading the report. */
const MOST_NAMES = 1_000_000;
const FEW_NAMES = 16;
/** Without a buffer each digit of a number is kept as a text of its own: a number of 30 MB took half a gigabyte. */
const NUMBER_BUFFER = 64 * 1024;
const { LEFT_BRACE, RIGHT_BRACE, LEFT_BRACKET, RIGHT_BRACKET, COLON, COMMA, STRING } = TokenType;

/** A set of names, reused for many small objects. Keeps a few names in a list, without a new Set for each object. */
class NamesOfObject {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  get size(): number {
    return this.#many?.size ?? this.#few.length;
  }

  /** False for a name that is there already. */
  add(name: string): boolean {
    if (this.#many !== undefined) {
      const before = this.#many.size;
      return this.#many.add(name).size > before;
    }
    if (this.#few.includes(name)) return false;
    this.#few.push(name);
    if (this.#few.length > FEW_NAMES) this.#many = new Set(this.#few);
    return true;
  }

  clear(): void {
    this.#few.length = 0;
    this.#many = undefined;
  }
}

/**
 * Walks through a JSON document that comes in pieces. `write` and `end` throw BrokenReport where it is not JSON, and where an object
 * names a member twice: readers differ in which of the two they take, so that a test would be both failed and passed.
 */
export class JsonWalk {
  readonly #tokens = new Tokenizer({ numberBufferSize: NUMBER_BUFFER });
  readonly #path: JsonKey[] = [];
  readonly #kinds: ('object' | 'list')[] = [];
  /** The names that each open object has so far, by its depth; emptied, not made anew, for the next object there. */
  readonly #names: NamesOfObject[] = [];
  #expected: Expected = 'value';
  #lines = 1;

  constructor(private readonly visitor: JsonVisitor) {
    this.#tokens.onToken = ({ token, value }) => this.#take(token, value);
    this.#tokens.onError = (error) => {
      throw error instanceof BrokenReport ? error : new BrokenReport('is not JSON', this.#lines);
    };
  }

  /** The line that is being read, from 1. */
  get line(): number {
    return this.#lines;
  }

  /** One line at a time, so that a fault has its line. */
  write(piece: string): void {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      this.#tokens.write(piece.slice(start, end + 1));
      this.#lines += 1;
      start = end + 1;
    }
    if (start < piece.length) this.#tokens.write(piece.slice(start));
  }

  end(): void {
    if (this.#expected !== 'nothing') throw new BrokenReport('is cut short: the JSON does not end', this.#lines);
  }

  #break(): never {
    throw new BrokenReport(`is not JSON: ${this.#expected} is expected`, this.#lines);
  }

  #take(token: TokenType, value: JsonLeaf): void {
    const expected = this.#expected;
    if (token === COLON) {
      if (expected !== 'colon') this.#break();
      this.#expected = 'value';
    } else if (token === COMMA) this.#next();
    else if (token === RIGHT_BRACE || token === RIGHT_BRACKET) this.#close(token === RIGHT_BRACE ? 'object' : 'list');
    else if (expected === 'name' || expected === 'name or end') {
      if (token !== STRING) this.#break();
      this.#takeName(String(value));
      this.#expected = 'colon';
    } else if (expected !== 'value' && expected !== 'value or end') this.#break();
    else if (token === LEFT_BRACE || token === LEFT_BRACKET) this.#open(token === LEFT_BRACE ? 'object' : 'list');
    else {
      this.visitor.value(this.#path, value);
      this.#afterValue();
    }
  }

  #takeName(name: string): void {
    const names = this.#names[this.#kinds.length - 1];
    if (names?.add(name) === false)
      throw new BrokenReport(`names the member "${name.slice(0, 40)}" twice in one object`, this.#lines);
    if (names !== undefined && names.size > MOST_NAMES)
      throw new BrokenReport(`has an object with more than ${MOST_NAMES} members`, this.#lines);
    this.#path[this.#path.length - 1] = name;
  }

  #open(kind: 'object' | 'list'): void {
    if (this.#kinds.length >= DEEPEST)
      throw new BrokenReport(`is nested more than ${DEEPEST} levels deep`, this.#lines);
    this.visitor.open(this.#path, kind);
    const depth = this.#kinds.push(kind) - 1;
    if (kind === 'object') {
      this.#names[depth] ??= new NamesOfObject();
      this.#names[depth].clear();
    }
    this.#path.push(kind === 'list' ? 0 : '');
    this.#expected = kind === 'list' ? 'value or end' : 'name or end';
  }

  #next(): void {
    if (this.#expected !== 'comma or end') this.#break();
    const last = this.#path.at(-1);
    if (typeof last === 'number') this.#path[this.#path.length - 1] = last + 1;
    this.#expected = typeof last === 'number' ? 'value' : 'name';
  }

  #close(kind: 'object' | 'list'): void {
    const mayEnd =
      this.#expected === 'comma or end' || this.#expected === 'value or end' || this.#expected === 'name or end';
    if (!mayEnd || this.#kinds.at(-1) !== kind) this.#break();
    this.#kinds.pop();
    this.#path.pop();
    this.visitor.close(this.#path);
    this.#afterValue();
  }

  #afterValue(): void {
    this.#expected = this.#kinds.length === 0 ? 'nothing' : 'comma or end';
  }
}

/** Reads one format of JSON reports and counts into its tally while the document streams. */
export interface JsonFormatReader extends JsonVisitor {
  /** Called after the last piece: counts what only the end shows, and returns the times the report names. */
  finish(): ReportTimes;
}

/** One format of JSON reports. */
export interface JsonFormat {
  readonly name: 'ctrf' | 'mocha' | 'jest' | 'playwright';
  /** The list that every report of this format holds, by which it is recognised: path of member names. */
  readonly list: readonly string[];
  /** The kind of value a path must hold, so that no test or failure is missed; undefined where any is allowed. */
  readonly shape: (path: JsonPath) => 'object' | 'list' | 'plain value' | undefined;
  /** Makes a reader. It calls `refuse` when a report of this format is broken and cannot be counted. */
  readonly read: (tally: Tally, refuse: (what: string) => void) => JsonFormatReader;
}

/** A path in words: `results.tests[2]`. */
export const pathInWords = (path: JsonPath): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');

/** Reads the counts in the head of a JSON report: members of the object at `place`; the empty path is the root. */
export class HeadCounts<Name extends string> {
  readonly #counts = new Map<unknown, number>();
  readonly #names: ReadonlySet<unknown>;

  constructor(
    private readonly tally: Tally,
    private readonly place: JsonPath,
    names: readonly Name[],
  ) {
    this.#names = new Set(names);
  }

  /** Notes a doubt when a list or an object begins where a count was expected. */
  open(path: JsonPath, kind: 'object' | 'list'): void {
    if (this.#isCount(path))
      this.tally.doubt(`the count ${path.at(-1)} is ${kind === 'list' ? 'a list' : 'an object'}, which is no number`);
  }

  value(path: JsonPath, value: JsonLeaf): void {
    const name = path.at(-1);
    if (this.#isCount(path)) this.#counts.set(name, this.tally.countAtHead(String(name), value));
  }

  /** The sum of these counts; 0 for one that the head does not give. */
  sumOf(...names: readonly Name[]): number {
    return names.reduce((sum, name) => sum + (this.#counts.get(name) ?? 0), 0);
  }

  #isCount(path: JsonPath): boolean {
    return (
      path.length === this.place.length + 1 &&
      this.#names.has(path.at(-1)) &&
      this.place.every((name, at) => path[at] === name)
    );
  }
}
