import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { inertJson } from '../output/safe-text.js';
import { interruption, type Session } from '../session.js';
import { createMcpServer } from './create-server.js';

/** Serves until the client ends the conversation. Failure (exit 130, 143) when interrupted. */
export const serveMcp = (session: Session, allowWrites: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const { world, screen } = session;
    const out = new Writable({
      decodeStrings: false,
      write: (message: string, _encoding, done) => {
        // A server may say what it was sent.
        world.stdout.write(inertJson(screen.shown(String(message))));
        done();
      },
    });
    const transport = new StdioServerTransport(world.stdin, out);
    const handle = serveStdio(() => createMcpServer(session, allowWrites), {
      transport,
      onerror: (error) => screen.warn(error.message),
    });
    const giveBack = session.takeInterrupts((signal) => {
      reject(interruption(signal));
      void handle.close();
    });
    const ended = transport.onclose;
    transport.onclose = () => {
      ended?.();
      giveBack();
      resolve();
    };
  });
