import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type AuditEntry, DomainError } from '@shipworthy/domain';

const NEWLINE = 0x0a;

/** An append-only file with one audit entry per line, as JSON. One process at a time writes it. */
export interface AuditFile {
  /** All of them are on the disk when it resolves, or none. DomainError `unavailable` when they cannot be written. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** Entries of the team, in the order they were appended. */
  ofTeam(teamId: string): Promise<readonly AuditEntry[]>;
}

/** Bytes up to the last complete line. What follows was never acknowledged: the process ended while it was written. */
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
    // A full disk may have taken a part of it: a reader must never see half of a refused entry.
    await file.truncate(size);
    throw error;
  }
};

/** Opens the file, which is made when it is missing. */
export const openAuditFile = async (path: string): Promise<AuditFile> => {
  const file = await open(path, 'a', 0o600);
  try {
    await file.truncate(await completeBytes(path));
  } finally {
    await file.close();
  }
  const byTeam = new Map<string, AuditEntry[]>();
  let read = 0;
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  const keep = (line: string): void => {
    const entry = JSON.parse(line) as AuditEntry;
    if (entry.teamId === null) return;
    const entries = byTeam.get(entry.teamId);
    if (entries === undefined) byTeam.set(entry.teamId, [entry]);
    else entries.push(entry);
  };

  const readOn = async (): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(path, { start: read }) as AsyncIterable<Buffer>) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) if (line !== '') keep(line);
    read += end;
  };

  return {
    append: (entries) =>
      inTurn(async () => {
        const handle = await open(path, 'a');
        const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
        await writeAll(handle, lines.join('')).finally(() => handle.close());
      }).catch((error: unknown) => {
        throw new DomainError('unavailable', `The audit log cannot be written: ${String(error)}`);
      }),
    ofTeam: (teamId) =>
      inTurn(async () => {
        await readOn();
        return [...(byTeam.get(teamId) ?? [])];
      }),
  };
};
