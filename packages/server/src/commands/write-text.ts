import { write } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const writeSome = promisify(write);
const FULL_PIPE_PAUSE_MS = 20;

/** Writes text to a file descriptor without ever making the event loop wait for a slow reader. */
export const textWriter =
  (descriptor: number) =>
  async (text: string): Promise<void> => {
    let rest: Buffer = Buffer.from(text);
    while (rest.length > 0) {
      try {
        const { bytesWritten } = await writeSome(descriptor, rest);
        rest = rest.subarray(bytesWritten);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
        await pause(FULL_PIPE_PAUSE_MS);
      }
    }
  };
