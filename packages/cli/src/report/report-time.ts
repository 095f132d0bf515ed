const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const EARLIEST = Date.UTC(2000, 0);

/** Milliseconds since the epoch; undefined for what is no moment, or whose zone would have to be guessed. */
export const momentOf = (value: unknown): number | undefined => {
  const ms =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && (WITH_ZONE.test(value) || HTTP_DATE.test(value))
        ? Date.parse(value)
        : Number.NaN;
  return ms >= EARLIEST && ms <= Number.MAX_SAFE_INTEGER ? Math.floor(ms) : undefined;
};

/** A length of time that is finite and not negative; thousands may be grouped by commas, as surefire writes them. */
export const lengthOf = (value: unknown): number | undefined => {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const length =
    typeof value === 'number' ? value : typeof value === 'string' ? Number(value.replaceAll(',', '')) : Number.NaN;
  return Number.isFinite(length) && length >= 0 ? length : undefined;
};

/** The later of two moments, either of which may be unknown. */
export const laterOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.max(one, other);
