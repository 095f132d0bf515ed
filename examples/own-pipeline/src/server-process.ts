import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const START_MS = 90_000;
const STOP_MS = 60_000;
const LAST_WORDS = 2_000;

/** A running server, a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly setupToken: string;
  /** Ends the process and waits for that. */
  stop(): Promise<void>;
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const hurry = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(hurry);
};

/** Resolves with the address that the server prints once it listens; rejects with its last output when it does not. */
const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const fail = (): void => reject(new Error(`The server did not start. ${text.slice(-LAST_WORDS)}`));
    const timer = setTimeout(fail, START_MS);
    const onText = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const [, address] = /listens on (\S+)\n/.exec(text) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', onText);
    child.stderr?.on('data', onText);
    child.once('exit', fail);
    child.once('error', reject);
  });

/** Starts the server on a SQLite file in the folder, unless a setting says otherwise, on a free port of the loopback. */
export const startServer = async (
  folder: string,
  setupToken: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> => {
  const program = fileURLToPath(new URL('main.js', import.meta.resolve('@shipworthy/server')));
  const child = spawn(process.execPath, [program, 'start'], {
    // The server must not get the settings of this shell: they may name a real database.
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'shipworthy.sqlite')}`,
      SHIPWORTHY_DATA_DIR: folder,
      SHIPWORTHY_SETUP_TOKEN: setupToken,
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The server ends with this process, unless this process is killed.
  const end = (): void => void child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  try {
    return { url: await addressOf(child), setupToken, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
};
