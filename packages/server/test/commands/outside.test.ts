import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

describe('the process of a command', () => {
  // An exit code, not an end by the signal: the first process of a container would not be ended by that.
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)
    it(`ends by itself on ${signal} while it waits for its database`, async () => {
      const silent = createServer();
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = silent.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const child = spawn(process.execPath, [MAIN, 'migrate'], {
        env: {
          DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c`,
          SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
        },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      const [socket] = await once(silent, 'connection');
      child.kill(signal);
      expect(await ended).to.deep.equal([code, null]);
      socket.destroy();
      silent.close();
    });
});
