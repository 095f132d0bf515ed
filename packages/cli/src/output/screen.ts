import { styleText } from 'node:util';
import { EXIT, type ExitCode, type Failure, failureOf, unexpectedWords } from '../failure.js';
import type { TextSink, World } from '../world.js';
import { harmless, hiding, inert, inertJson } from './safe-text.js';

/** The output of a command: text for people goes to stderr, data to stdout. */
export interface Screen {
  /** A line for people. */
  say(line?: string): void;
  /** A line for people that must not be overlooked. */
  warn(line: string): void;
  /** The command's answer: text, or with `--json` one JSON document. */
  answer(text: string, data: unknown): void;
  /** The one JSON document of `--json`, with these members. */
  document(members: object): void;
  /** Colours for stderr; plain text when stderr is no terminal. */
  readonly paint: Paint;
  /** Removes this text from all later output. */
  hide(secret: string): void;
  /** A text as it would be shown. */
  readonly shown: (text: string) => string;
}

interface ScreenOptions {
  readonly json: boolean;
  /** The command's name, such as `gate` or `deploy run`, written into the JSON document. */
  readonly command: string;
  readonly color: boolean;
}

/** The version of the `--json` document. Within one version members are only added. */
export const JSON_VERSION = 1;

// The sequences with which `paint` begins and ends a colour.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it tells our own colours from others
const OWN_COLOUR = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

/** `harmless` for a text that may hold colours of `paint`: they stay, and nothing else steers a terminal. */
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

/** Colours by meaning. Every meaning also has its word in the text. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly attention: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const plain = (text: string): string => text;

/** Colours only for a terminal, and not where NO_COLOR or TERM=dumb forbids them (https://no-color.org). */
export const paintFor = (sink: TextSink, env: Readonly<Record<string, string | undefined>>, wanted: boolean): Paint => {
  const forbidden = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb' || sink.isTTY !== true;
  const style = (format: Parameters<typeof styleText>[0]) =>
    !wanted || forbidden ? plain : (text: string) => styleText(format, text, { validateStream: false });
  return {
    good: style('green'),
    bad: style('red'),
    attention: style('yellow'),
    strong: style('bold'),
    faint: style('dim'),
  };
};

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;

/** How many columns of a terminal a text takes. */
const widthOf = (text: string): number =>
  [...text.normalize('NFC')].reduce((width, sign) => width + (/\p{Mn}/u.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1), 0);

/** Rows under their heads, columns aligned by two spaces; no line ends in blanks. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [heads, ...rows.map((row) => row.map((cell) => harmless(cell).replaceAll('\n', ' ')))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  const padded = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
};

/** Prints the faults and the fixes of a failure, a line each. */
export const sayDetails = (screen: Screen, { faults, fixes }: Pick<Failure, 'faults' | 'fixes'>): void => {
  for (const fault of faults) screen.say(`  ${fault}`);
  for (const fix of fixes) screen.say(`  ${screen.paint.attention('fix:')} ${fix}`);
};

const tell = (screen: Screen, failure: Failure): void => {
  screen.say(`${screen.paint.bad('error:')} ${failure.message}`);
  sayDetails(screen, failure);
  if (failure.requestId !== null) screen.say(screen.paint.faint(`  request ${failure.requestId}`));
};

/** Tells people, and with `--json` programs too, why a command ended; answers its exit code. */
export const showFailure = (screen: Screen, json: boolean, env: World['env'], error: unknown): ExitCode => {
  const failure = failureOf(error);
  if (failure !== undefined) tell(screen, failure);
  else screen.say(`${screen.paint.bad('unexpected error:')} ${unexpectedWords(error, env)}`);
  const exit = failure?.exit ?? EXIT.unexpected;
  if (json) {
    const told = {
      exit,
      code: failure?.code ?? 'unexpected',
      message: failure?.message ?? 'An unexpected error; see stderr.',
      faults: failure?.faults ?? [],
      fixes: failure?.fixes ?? [],
      request_id: failure?.requestId ?? null,
    };
    screen.document({ error: told });
  }
  return exit;
};
