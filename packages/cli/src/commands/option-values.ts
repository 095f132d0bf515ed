import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Seconds of patience: more than 0, at most an hour. */
export const asSeconds = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError('Give seconds, more than 0 and at most 3600.');
  return value;
};

/** Every value of an option that may be repeated. */
export const asList = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
