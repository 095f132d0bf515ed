import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const NEWLINE = 0x0a;

/** An append-only file of lines. One process at a time writes it. */
export interface LineFile {
  /** Writes all lines to the disk, or none; rejects when they cannot be written. */
  append(lines: readonly string[]): Promise<void>;
  /** Returns the lines that this or another process appended since the last call. */
  readOn(): Promise<readonly string[]>;
}

/** Counts the bytes up to the last complete line. The rest was never acknowledged: a process ended while writing it. */
const completeBytes = async (path: string): Promise<number> => {
  let complete = 0;
  let before = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= 0) complete = before + last + 1;
    before += chunk.length;
  }
  return complete;
};

const writeAll = async (file: FileHandle, text: string): Promise<void> => {
  const { size } = await file.stat();
  try {
    await file.appendFile(text);
    await file.datasync();
  } catch (error) {
    // A full disk may have taken a part of the text: a reader must never see half of a refused line.
    await file.truncate(size);
    throw error;
  }
};

/** Opens the file; creates it when it is missing, and removes an incomplete last line. */
export const openLineFile = async (path: string): Promise<LineFile> => {
  const file = await open(path, 'a', 0o600);
  try {
    await file.truncate(await completeBytes(path));
  } finally {
    await file.close();
  }
  let read = 0;
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  return {
    append: (lines) =>
      inTurn(async () => {
        const handle = await open(path, 'a');
        await writeAll(handle, lines.map((line) => `${line}\n`).join('')).finally(() => handle.close());
      }),
    readOn: () =>
      inTurn(async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of createReadStream(path, { start: read }) as AsyncIterable<Buffer>) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        const end = bytes.lastIndexOf(NEWLINE) + 1;
        read += end;
        return bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
      }),
  };
};
