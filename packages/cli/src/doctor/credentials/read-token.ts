import { usageFailure } from '../../failure.js';
import type { World } from '../../world.js';

/** What a terminal's stdin can do beyond a stream. */
interface RawStdin {
  setRawMode?(raw: boolean): unknown;
}

const INTERRUPT = '\u0003';
const ERASE = /[\b\u007f]/;

/** Reads signs until Enter without showing them. The terminal hands over Ctrl-C as a sign then. */
const typed = async ({ stdin, stderr }: World): Promise<string> => {
  const terminal = stdin as RawStdin;
  stderr.write('Token (not shown): ');
  terminal.setRawMode?.(true);
  let text = '';
  try {
    for await (const chunk of stdin) {
      for (const sign of String(chunk)) {
        if (sign === INTERRUPT) throw usageFailure('No token was given.');
        if (sign === '\r' || sign === '\n') return text;
        text = ERASE.test(sign) ? text.slice(0, -1) : text + sign;
      }
    }
    return text;
  } finally {
    terminal.setRawMode?.(false);
    stderr.write('\n');
  }
};

const piped = async ({ stdin }: World): Promise<string> => {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > 10_000) break;
  }
  return text;
};

/** Reads a token from stdin, hidden when typed at a terminal. Failure (exit 2) for nothing, or for what cannot be a token. */
export const readToken = async (world: World): Promise<string> => {
  const token = (world.stdin.isTTY ? await typed(world) : await piped(world)).trim();
  if (token === '') throw usageFailure('No token was given.', 'shipworthy doctor --store-token < file-with-the-token');
  if (!/^[\x21-\x7e]{1,4096}$/.test(token))
    throw usageFailure('What was given is no token: it holds blanks or other signs.');
  return token;
};
