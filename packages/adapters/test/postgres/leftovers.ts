import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** The server that works on this folder, if it still runs: numbers of processes are given out again to others. */
const serverOf = async (folder: string): Promise<number | undefined> => {
  const pid = Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => ''), 10);
  if (!Number.isInteger(pid) || !isRunning(pid)) return undefined;
  const { stdout } = await run('ps', ['-p', String(pid), '-o', 'args=']).catch(() => ({ stdout: '' }));
  return stdout.includes(folder) ? pid : undefined;
};

const ended = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGQUIT');
  for (let tries = 0; tries < 1_000 && isRunning(pid); tries += 1) await new Promise((done) => setTimeout(done, 50));
};

/**
 * Ends servers whose starter was killed before it could stop them, and removes their folders. A folder's name begins with
 * the process that made it; only folders of processes that are gone are touched.
 */
export const cleanUpLeftovers = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const starter = Number.parseInt(name, 10);
    if (!Number.isInteger(starter) || isRunning(starter)) continue;
    const server = await serverOf(join(folder, name));
    if (server !== undefined) await ended(server);
    await rm(join(folder, name), { recursive: true, force: true });
  }
};
