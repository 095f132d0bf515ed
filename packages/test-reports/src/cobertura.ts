import { SaxesParser } from 'saxes';
import { type ClaimedLines, CoveredLines, type Measurement } from './measurement.js';
import { BrokenReport } from './tally.js';
import { refuseExcess, withoutCharacterData } from './without-character-data.js';

const DEEPEST = 1000;
const WHOLE = /^\d{1,10}$/;
/** A share of 1, with its digits after the point. */
const RATE = /^\d{1,3}(?:\.(\d{1,30}))?(?:e-\d{1,3})?$/i;
/** The hits of a line. They may be too large for an exact number; only whether there is one matters. */
const HITS = /^-?\d{1,30}$/;

type Attributes = Readonly<Record<string, string>>;

interface CoveredClass {
  readonly file: string;
  /** Lines right below the class. */
  readonly own: Map<number, boolean>;
  /** Lines below its methods: most writers list them below the class again, some in another way. */
  readonly ofMethods: Map<number, boolean>;
}

/**
 * The most lines that may be covered where the share of them is written as `rate`. It may be rounded down in its last digit, of
 * which writers drop zeros; so two digits are taken as given, and beyond six the rounding of the machine's numbers counts.
 */
const mostCovered = (rate: string, lines: number): number => {
  const digits = Math.min(6, Math.max(2, RATE.exec(rate)?.[1]?.length ?? 0));
  return Math.floor((Number(rate) + 10 ** -digits) * lines);
};

/** Reads the XML of Cobertura, as istanbul, c8, coverage.py, coverlet, gocover-cobertura and their kin write it. Entities are never expanded. */
export class CoberturaReader {
  readonly #all = new CoveredLines();
  readonly #parser = new SaxesParser();
  readonly #filter = withoutCharacterData();
  readonly #open: string[] = [];
  #class: CoveredClass | undefined;
  #claimed: ClaimedLines = { lines: undefined, covered: undefined };
  /** The share of covered lines at the head, where no count of them is given. */
  #rate: string | undefined;

  constructor() {
    const parser = this.#parser;
    parser.on('error', ({ message }) => {
      const said = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
      this.#break(said.startsWith('unclosed tag') ? 'is cut short' : `is not well-formed: ${said}`);
    });
    refuseExcess(parser, (what) => this.#break(what));
    parser.on('opentag', ({ name, attributes }) => this.#begin(name, attributes));
    parser.on('closetag', ({ name }) => this.#end(name));
  }

  write(piece: string): void {
    this.#parser.write(this.#filter.pass(piece));
  }

  end(): Measurement {
    this.#parser.write(this.#filter.rest());
    this.#parser.close();
    const { listed } = this.#all;
    this.#all.compare('it', this.#claimed, listed);
    if (this.#rate !== undefined) {
      const covered = mostCovered(this.#rate, Math.max(listed.lines, this.#claimed.lines ?? 0));
      this.#all.compare('it, by its line-rate,', { lines: undefined, covered }, listed);
    }
    return this.#all.end('cobertura');
  }

  #break(what: string): never {
    throw new BrokenReport(what, this.#parser.line);
  }

  #begin(name: string, attributes: Attributes): void {
    if (this.#open.length === 0) this.#readHead(name, attributes);
    if (this.#open.length > DEEPEST) this.#break(`is nested more than ${DEEPEST} elements deep`);
    if (name === 'class') {
      if (this.#class !== undefined) this.#break('holds a class within a class');
      const { filename } = attributes;
      if (!filename) this.#break('has a class without a filename');
      this.#class = { file: filename, own: new Map(), ofMethods: new Map() };
    } else if (name === 'line') this.#readLine(attributes);
    this.#open.push(name);
  }

  #readHead(name: string, attributes: Attributes): void {
    if (name !== 'coverage') this.#break(`begins with <${name}>; Cobertura begins with <coverage>`);
    if ('clover' in attributes) this.#break('is a report of Clover; lcov and Cobertura are read');
    const claim = (attribute: string): number | undefined => {
      const value = attributes[attribute];
      if (value === undefined) return undefined;
      if (!WHOLE.test(value)) this.#break(`says ${attribute} in another way than by a number`);
      return Number(value);
    };
    this.#claimed = { lines: claim('lines-valid'), covered: claim('lines-covered') };
    const rate = attributes['line-rate'];
    if (rate === undefined || this.#claimed.covered !== undefined) return;
    if (!RATE.test(rate) || Number(rate) > 1) this.#break('says line-rate in another way than by a number from 0 to 1');
    this.#rate = rate;
  }

  #readLine({ number = '', hits = '' }: Attributes): void {
    const within = this.#class;
    if (within === undefined) this.#break('has a line outside of a class');
    if (!WHOLE.test(number) || !HITS.test(hits)) this.#break('has a line without number or hits');
    const lines = this.#open.includes('method') ? within.ofMethods : within.own;
    lines.set(Number(number), lines.get(Number(number)) === true || (!hits.startsWith('-') && !/^0+$/.test(hits)));
  }

  #end(name: string): void {
    this.#open.pop();
    if (name !== 'class' || this.#class === undefined) return;
    const { file, own, ofMethods } = this.#class;
    for (const [number, isCovered] of own.size > 0 ? own : ofMethods) this.#all.add(file, number, isCovered);
    this.#class = undefined;
  }
}
