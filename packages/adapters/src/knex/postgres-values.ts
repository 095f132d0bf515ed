import pg from 'pg';

/** A moment as PostgreSQL writes it: `2026-11-21 03:31:00.123456+00`; the offset may have minutes and seconds. */
const MOMENT = /^(\d+)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/** Milliseconds since 1970 of a `timestamptz`, whatever the zones of server, session and process are. */
export const momentOf = (text: string): number => {
  const parts = MOMENT.exec(text);
  if (parts === null) throw new RangeError(`not a moment of the years 1 to 9999: ${text}`);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [offsetHours = 0, offsetMinutes = 0, offsetSeconds = 0] = parts.slice(9, 12).map((part) => Number(part ?? 0));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  const offset = (offsetHours * 3600 + offsetMinutes * 60 + offsetSeconds) * (parts[8] === '-' ? -1 : 1);
  const seconds = hour * 3600 + minute * 60 + second - offset;
  return local.getTime() + seconds * 1000 + Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
};

/** How values are read on these connections only: the driver's own settings stay as they are. */
export class ValueTypes {
  readonly #overrides = new pg.TypeOverrides();
  constructor() {
    this.#overrides.setTypeParser(pg.types.builtins.TIMESTAMPTZ, momentOf);
    this.#overrides.setTypeParser(pg.types.builtins.INT8, Number);
    this.#overrides.setTypeParser(pg.types.builtins.NUMERIC, Number);
    this.#overrides.setTypeParser(pg.types.builtins.JSON, (text: string) => text);
    this.#overrides.setTypeParser(pg.types.builtins.JSONB, (text: string) => text);
  }
  getTypeParser(oid: number, format?: string): unknown {
    return this.#overrides.getTypeParser(oid, format === 'binary' ? 'binary' : 'text');
  }
}
