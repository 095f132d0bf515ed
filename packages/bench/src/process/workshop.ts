import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'shipworthy-bench-';
const PATIENCE_MS = 10_000;

/** Keeps the data of a run, and ends the processes that it started. */
export interface Workshop {
  /** A path where nothing is yet; what is put there is removed with the workshop. */
  path(name: string): string;
  /** Ends the child with the workshop. */
  keep(child: ChildProcess): void;
  /** Runs before the children are ended, the last one first. */
  atClose(undo: () => Promise<void>): void;
  /** Ends the processes and removes the paths. May be called twice. */
  close(): Promise<void>;
}

const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/** Ends a PostgreSQL that still runs on a data folder below, then removes everything. */
const clear = (root: string): void => {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    try {
      const [pid] = readFileSync(join(root, entry.name, 'postmaster.pid'), 'utf8').split('\n');
      if (pid) signal(Number(pid), 'SIGQUIT');
    } catch {
      // No postmaster.pid: no server runs on this folder.
    }
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
};

/** Removes the folders of earlier runs that were killed. */
const clearAbandoned = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isInteger(owner) && owner !== process.pid && !signal(owner, 0)) clear(join(tmpdir(), name));
  }
};

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const hardEnd = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('exit', () => {
      clearTimeout(hardEnd);
      resolve();
    });
    child.kill('SIGTERM');
  });

/** Opens a workshop that is closed at the latest when this process ends, by Ctrl-C too. */
export const openWorkshop = (): Workshop => {
  clearAbandoned();
  const root = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // PostgreSQL runs as another user when we are root; that user has to reach its folder.
  chmodSync(root, 0o755);
  const children = new Set<ChildProcess>();
  const undos: (() => Promise<void>)[] = [];
  let paths = 0;
  let isCleared = false;

  const clearNow = (): void => {
    if (isCleared) return;
    isCleared = true;
    for (const child of children) child.kill('SIGKILL');
    clear(root);
  };
  const close = async (): Promise<void> => {
    for (const undo of undos.splice(0).reverse()) await undo().catch(() => undefined);
    await Promise.all([...children].map(ended));
    process.off('exit', clearNow);
    for (const name of SIGNALS) process.off(name, interrupt);
    clearNow();
  };
  const interrupt = (): void => {
    void close().finally(() => process.exit(130));
  };

  process.once('exit', clearNow);
  for (const name of SIGNALS) process.on(name, interrupt);
  return {
    path: (name) => {
      paths += 1;
      return join(root, `${paths}-${name}`);
    },
    keep: (child) => {
      children.add(child);
      child.once('exit', () => children.delete(child));
    },
    atClose: (undo) => void undos.push(undo),
    close,
  };
};

/** Runs work with a workshop of its own; afterwards ends all its processes and removes its files. */
export const inWorkshop = async <Result>(work: (workshop: Workshop) => Promise<Result>): Promise<Result> => {
  const workshop = openWorkshop();
  try {
    return await work(workshop);
  } finally {
    await workshop.close();
  }
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
