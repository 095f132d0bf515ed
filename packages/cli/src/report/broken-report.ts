/** A report that cannot be counted: cut short, not well-formed, or of another kind. */
export class BrokenReport extends Error {
  override readonly name = 'BrokenReport';

  constructor(
    message: string,
    /** Line of the report, from 1; undefined where no line is to blame. */
    readonly line?: number,
  ) {
    super(message);
  }
}
