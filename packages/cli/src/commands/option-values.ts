import { InvalidArgumentError } from '@commander-js/extra-typings';
import { FORMATS } from '@shipworthy/client/contract';

/** Seconds of patience: more than 0, at most an hour. */
export const asSeconds = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError('Give seconds, more than 0 and at most 3600.');
  return value;
};

/** Every value of an option that may be repeated. */
export const asList = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** The word now, or a moment as RFC 3339 has it. */
export const asMomentOrNow = (text: string): string => {
  if (text !== 'now' && !FORMATS.timestamp(text))
    throw new InvalidArgumentError('Give now, or a moment such as 2026-11-21T09:30:00Z (RFC 3339).');
  return text;
};
