import type { TextSink, World } from '../world.js';
import { hiding } from './hiding.js';
import { type Paint, paintFor } from './paint.js';
import { harmless, inert, inertJson } from './safe-text.js';

/** How a command talks: people's text goes to stderr, data to stdout. */
export interface Screen {
  /** A line for people. */
  say(line?: string): void;
  /** A line for people that must not be overlooked. */
  warn(line: string): void;
  /** The command's answer: text, or with `--json` one JSON document. */
  answer(text: string, data: unknown): void;
  /** The one JSON document of `--json`, with these members. */
  document(members: object): void;
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
  const line = (sink: TextSink, text: string) => sink.write(`${inert(shown(safe(text)))}\n`);
  const warnings: string[] = [];
  const document = (members: object): void => {
    const text = JSON.stringify({ version: JSON_VERSION, command, ...members });
    world.stdout.write(`${inertJson(shown(text))}\n`);
  };
  return {
    paint,
    hide,
    shown,
    document,
    say: (text = '') => line(world.stderr, text),
    warn: (text) => {
      warnings.push(shown(text));
      line(world.stderr, `${paint.attention('warning:')} ${text}`);
    },
    answer: (text, data) => {
      if (json) document({ data, warnings });
      else if (text !== '') line(world.stdout, text);
    },
  };
};
