import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient } from '@shipworthy/client';
import { furnish, signIn } from './service.js';

const SETUP_TOKEN = 'setup-token-of-a-process';

/** A real server, a process of its own on a SQLite file, that can be killed and started again at the same address. */
export interface ServerProcess {
  readonly url: string;
  /** Kills it at once, as a machine that fails would. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

const spawnServer = (folder: string, port: number): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(new URL('main.js', import.meta.resolve('@shipworthy/server'))), 'start'], {
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

/** Starts the server with team `Core`, project `checkout` and the active release `1.0`; answers it with a key and what is there. */
export const startServerProcess = async (folder: string) => {
  let child = spawnServer(folder, 0);
  const url = await listening(child);
  const port = Number(new URL(url).port);
  const person = await signIn(url, SETUP_TOKEN);
  const places = await furnish(person);
  const { body } = await person.createApiKey({
    body: { name: 'pipeline', scopes: ['read', 'deployments:write', 'test-runs:write'], all_teams: true },
  });
  const server: ServerProcess = {
    url,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    start: async () => {
      child = spawnServer(folder, port);
      await listening(child);
    },
  };
  const client = createClient({ baseUrl: url, apiKey: body.data.key });
  return { server, client, key: body.data.key, ...places };
};
