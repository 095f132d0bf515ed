import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Failure, usageFailure } from '../failure.js';
import type { World } from '../world.js';

/** Where records come from. */
export interface Input {
  /** As it is spoken of. */
  readonly name: string;
  /** null for standard input. */
  readonly path: string | null;
  /** The text from the beginning, `\n` ending its lines; standard input can be opened once only. Failure (exit 2) unless it is UTF-8. */
  readonly open: () => AsyncGenerator<string, void, undefined>;
}

const notText = (name: string, line: number): Failure =>
  usageFailure(
    `${name}:${line} is not UTF-8.`,
    'Convert it first, such as by: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEWFILE',
  );

const newlinesIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

async function* decoded(
  name: string,
  bytes: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void, undefined> {
  // It takes a byte order mark away.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let held = '';
  const decode = (piece?: Uint8Array): string => {
    try {
      return held + (piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true }));
    } catch {
      throw notText(name, line);
    }
  };
  for await (const piece of bytes) {
    const text = decode(typeof piece === 'string' ? Buffer.from(piece) : piece);
    // The second half of a line's end may stand in the next piece.
    held = text.endsWith('\r') ? '\r' : '';
    const whole = text.slice(0, text.length - held.length).replaceAll('\r\n', '\n');
    line += newlinesIn(whole);
    yield whole;
  }
  yield decode();
}

/** A file, or standard input for `-`. Failure (exit 2) for what cannot be read. */
export const openInput = async (world: Pick<World, 'folder' | 'stdin'>, file: string): Promise<Input> => {
  if (file === '-') return { name: 'standard input', path: null, open: () => decoded('standard input', world.stdin) };
  const path = resolve(world.folder, file);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${path} cannot be read (${error.code ?? error.message}).`);
  });
  if (!found.isFile() && !found.isFIFO()) throw usageFailure(`${path} is no file.`);
  return { name: file, path: found.isFile() ? path : null, open: () => decoded(file, createReadStream(path)) };
};

/** The text with its beginning, up to the first line's end, read ahead. */
export const readAhead = async (
  text: AsyncGenerator<string, void, undefined>,
): Promise<{ readonly beginning: string; readonly all: AsyncGenerator<string, void, undefined> }> => {
  let beginning = '';
  while (!beginning.trimStart().includes('\n') && beginning.length < 65_536) {
    const { done, value } = await text.next();
    if (done) break;
    beginning += value;
  }
  async function* all(): AsyncGenerator<string, void, undefined> {
    yield beginning;
    yield* text;
  }
  return { beginning, all: all() };
};
