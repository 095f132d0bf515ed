import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** A server in a process of its own, and all it said. */
export interface Spoken {
  readonly url: string;
  said(): string;
  end(): Promise<void>;
}

/** Runs a command until it ends, or until it listens. */
export const speak = async (
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Spoken> => {
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'debug', ...environment };
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let text = '';
  const url = await new Promise<string>((resolve) => {
    const hear = (part: Buffer): void => {
      text += String(part);
      const [, found] = /listens on (\S+)\n/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    ended.then(() => resolve(''));
  });
  return {
    url,
    said: () => text,
    end: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Receives events and keeps them as they came. */
export interface Receiving {
  readonly url: string;
  readonly received: Buffer[];
  /** Resolves when there are so many. */
  until(count: number): Promise<void>;
  close(): void;
}

export const startReceiving = async (): Promise<Receiving> => {
  const received: Buffer[] = [];
  const waiting = new Set<() => void>();
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [Buffer.from(`${request.url}\n${JSON.stringify(request.headers)}\n`)];
    for await (const part of request) parts.push(part);
    received.push(Buffer.concat(parts));
    response.end();
    for (const look of [...waiting]) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    received,
    until: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
