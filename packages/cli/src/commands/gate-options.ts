import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { GateOptions } from '../gate/run-gate.js';
import { spanMs } from '../gate/span.js';

const span = (text: string): number => {
  const ms = spanMs(text);
  if (ms === undefined) throw new InvalidArgumentError('Give a span such as 90s, 10m or 1h, at most 24h.');
  return ms;
};

// What the gate is asked with, by `gate` and by `deploy run --gate` alike.

export const RELEASE = new Option(
  '--release <id-or-name>',
  'the release that is asked about; the active one unless given',
);
export const WAIT = new Option('--wait <span>', 'wait for go so long, such as 90s or 10m').argParser(span);
export const ON_UNAVAILABLE = new Option(
  '--on-unavailable <what>',
  'how to take it when nobody can be asked; hold unless given',
).choices(['hold', 'go'] as const);

/** How those were given. */
export interface GivenGateOptions {
  readonly release?: string | undefined;
  readonly wait?: number | undefined;
  readonly onUnavailable?: 'hold' | 'go' | undefined;
}

/** What is asked then: at once, about the active release, and without an answer there is no go. */
export const asGateOptions = ({ release, wait, onUnavailable }: GivenGateOptions): GateOptions => ({
  release,
  waitMs: wait ?? 0,
  onUnavailable: onUnavailable ?? 'hold',
  shadow: false,
});
