/** A report that cannot be counted: cut short, not well-formed, or of another kind. */
export class BrokenReport extends Error {
  override readonly name = 'BrokenReport';

  constructor(
    /** What the file is, or what is wrong with it: `is cut short`. */
    readonly what: string,
    /** Line of the file, from 1; undefined where none is to blame. */
    readonly line?: number,
  ) {
    super(line === undefined ? what : `${what} (line ${line})`);
  }
}
