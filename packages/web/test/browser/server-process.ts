import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.js', import.meta.resolve('@shipworthy/server')));
const SETUP_TOKEN = 'setup-token-of-a-process';

/** A real server, a process of its own on a SQLite file. */
export interface ServerProcess {
  readonly url: string;
  readonly setupToken: string;
  /** Ends it in order. */
  readonly end: () => Promise<void>;
  /** Starts it again at the same address. */
  readonly start: () => Promise<void>;
}

const spawned = (folder: string, port: number): ChildProcess =>
  spawn(process.execPath, [MAIN, 'start'], {
    // Settings of this shell must not reach it: they may name a real database.
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: `sqlite:${folder}/shipworthy.sqlite`,
      SHIPWORTHY_DATA_DIR: folder,
      SHIPWORTHY_SETUP_TOKEN: SETUP_TOKEN,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const onText = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const [, address] = /listens on (\S+)\n/.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout?.on('data', onText);
    child.stderr?.on('data', onText);
    child.once('exit', () => reject(new Error(`The server did not start. ${text.slice(-2_000)}`)));
  });

/** Starts a server in the folder on a free port of the loopback. */
export const startServerProcess = async (folder: string): Promise<ServerProcess> => {
  let child = spawned(folder, 0);
  // However this process ends, unless it is killed, the server ends with it.
  const abandon = (): void => void child.kill();
  process.once('exit', abandon);
  const url = await listening(child);
  return {
    url,
    setupToken: SETUP_TOKEN,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
    start: async () => {
      child = spawned(folder, Number(new URL(url).port));
      await listening(child);
    },
  };
};
