/** A row of a file as it stands there: its members by the file's own names. */
export interface RawRow {
  /** Where it begins, from 1. */
  readonly line: number;
  /** Its members, or what is wrong with it. */
  readonly members: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
}

/** More than any record can need: what is longer has lost its end. */
export const LONGEST_ROW = 262_144;
