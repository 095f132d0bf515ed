const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;
const EARLIEST = Date.UTC(2000, 0);

/** Milliseconds since the epoch; undefined for what is no moment, or whose zone would have to be guessed. */
export const momentOf = (value: unknown): number | undefined => {
  const isText = typeof value === 'string' && WITH_ZONE.test(value);
  const at = typeof value === 'number' ? value : isText ? Date.parse(value) : Number.NaN;
  return at >= EARLIEST && at <= Number.MAX_SAFE_INTEGER ? Math.floor(at) : undefined;
};

/** Seconds, finite and not negative; thousands may be grouped by commas, as surefire writes them. */
export const lengthOf = (text: string | null): number | undefined => {
  if (text === null || text.trim() === '') return undefined;
  const length = Number(text.replaceAll(',', ''));
  return Number.isFinite(length) && length >= 0 ? length : undefined;
};
