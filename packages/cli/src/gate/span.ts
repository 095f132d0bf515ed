const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 24 * 3_600_000;

/** Milliseconds of a span such as `90s`, `10m`, `1h` or `1h30m`; undefined for any other text, and for more than a day. */
export const spanMs = (text: string): number | undefined => {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    ms += Number(count) * (UNITS[unit ?? ''] ?? 0);
  return ms > 0 && ms <= LONGEST_MS ? Math.round(ms) : undefined;
};
