import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { FORMATS } from '@shipworthy/client/contract';
import { isCommit, isLabel, isPage } from '../pipeline/read-pipeline.js';

/** Seconds of patience: more than 0, at most an hour. */
export const asSeconds = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError('Give seconds, more than 0 and at most 3600.');
  return value;
};

/** Every value of an option that may be repeated. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** The word `now`, or a moment in the form of RFC 3339. */
export const asMomentOrNow = (text: string): string => {
  if (text !== 'now' && !FORMATS.timestamp(text))
    throw new InvalidArgumentError('Give now, or a moment such as 2026-11-21T09:30:00Z (RFC 3339).');
  return text;
};

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

/** An option of the commands that start another command. */
export const PASS_KEY = new Option('--pass-key', 'let the command have the API key, too, to call shipworthy itself');

/** One line of 1-200 characters. */
export const asOneLine = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  if (!isLabel(text)) throw new InvalidArgumentError('Give one line of at most 200 characters.');
  return text;
};

/** One line of 1-200 characters that names something new. A blank at an end is refused, since it cannot be seen. */
export const asLabel = (text: string): string => {
  const label = asOneLine(text);
  if (label !== label.trim()) throw new InvalidArgumentError('It begins or ends with a blank.');
  return label;
};

/** A commit hash as git writes it. */
export const asCommit = (text: string): string => {
  if (!isCommit(text)) throw new InvalidArgumentError('Give a commit hash, 7-64 hexadecimal characters.');
  return text;
};

/** An http or https address without user or password. */
const asPageAddress = (text: string): string => {
  if (!isPage(text)) throw new InvalidArgumentError('Give an http or https address.');
  return text;
};

/** Checks that a key fits into an HTTP header, with room for a suffix. */
export const asIdempotencyKey = (text: string): string => {
  if (!/^[!-~]{1,200}$/.test(text)) throw new InvalidArgumentError('Give 1-200 visible ASCII characters.');
  return text;
};

/** Seconds, 0 or more. */
export const asDuration = (text: string): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= 2_147_483_647)) throw new InvalidArgumentError('Give seconds, 0 or more.');
  return value;
};

export const PAGE_URL = new Option('--url <address>', 'page of the run').argParser(asPageAddress);
export const STRICT_REPORT = new Option('--strict-report', 'a report that is not sent is an error');
