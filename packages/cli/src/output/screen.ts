import type { TextSink, World } from '../world.js';
import { hiding } from './hiding.js';
import { type Paint, paintFor } from './paint.js';

/** How a command talks: people's text goes to stderr, data to stdout. */
export interface Screen {
  /** A line for people. */
  say(line?: string): void;
  /** A line for people that must not be overlooked. */
  warn(line: string): void;
  /** The command's answer: text, or with `--json` one JSON document. */
  answer(text: string, data: unknown): void;
  /** Colours for stderr; plain text where nobody sees them. */
  readonly paint: Paint;
  /** From now on this text is never shown. */
  hide(secret: string): void;
  /** A text as it would be shown. */
  readonly shown: (text: string) => string;
}

export interface ScreenOptions {
  readonly json: boolean;
  /** As in `gate` or `deploy run`; stands in the JSON document. */
  readonly command: string;
  readonly color: boolean;
}

/** The version of what `--json` prints; only additions within one. */
export const JSON_VERSION = 1;

// What a server, a report or git says may hold characters that steer a terminal.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text that cannot steer a terminal or turn a line's direction. */
export const harmless = (text: string): string => text.replace(STEERING, '\u{fffd}');

// The signs with which `paint` begins and ends a colour.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it tells our own colours from others
const OWN_COLOUR = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

/** The same of a text that may be painted. Nothing that is shown steers a terminal, wherever it came from. */
const harmlessPaint = (text: string): string =>
  text
    .split(OWN_COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : harmless(part)))
    .join('');

export const createScreen = (world: World, { json, command, color }: ScreenOptions): Screen => {
  const paint = paintFor(world.stderr, world.env, color);
  const { hide, shown } = hiding(world);
  const safe = paint.strong('a') === 'a' ? harmless : harmlessPaint;
  const line = (sink: TextSink, text: string) => sink.write(`${shown(safe(text))}\n`);
  const warnings: string[] = [];
  return {
    paint,
    hide,
    shown,
    say: (text = '') => line(world.stderr, text),
    warn: (text) => {
      warnings.push(shown(text));
      line(world.stderr, `${paint.attention('warning:')} ${text}`);
    },
    answer: (text, data) => {
      if (json) line(world.stdout, JSON.stringify({ version: JSON_VERSION, command, data, warnings }));
      else if (text !== '') line(world.stdout, text);
    },
  };
};
