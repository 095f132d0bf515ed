import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { type FaultProxy, openFaultProxy } from '../../src/faults/fault-proxy.js';
import { openWorkshop, type Workshop } from '../../src/process/workshop.js';

describe('the fault proxy', () => {
  let workshop: Workshop;
  let echo: Server;
  let proxy: FaultProxy;
  let atServer: { socket: Socket; failure: string | undefined; received: string }[];

  beforeEach(async () => {
    workshop = openWorkshop();
    atServer = [];
    echo = createServer((socket) => {
      const seen = { socket, failure: undefined as string | undefined, received: '' };
      atServer.push(seen);
      socket.on('data', (bytes) => {
        seen.received += bytes.toString();
        socket.write(bytes);
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        seen.failure = error.code;
      });
    });
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const address = echo.address();
    proxy = await openFaultProxy(workshop, typeof address === 'object' && address ? address.port : 0);
  });

  afterEach(async () => {
    await workshop.close();
    for (const { socket } of atServer) socket.destroy();
    echo.close();
  });

  const caller = async (): Promise<{ socket: Socket; received(): string; failure(): string | undefined }> => {
    const socket = connect(proxy.port, '127.0.0.1');
    let received = '';
    let failure: string | undefined;
    socket.on('data', (bytes) => {
      received += bytes.toString();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code;
    });
    await once(socket, 'connect');
    return { socket, received: () => received, failure: () => failure };
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const said = async (words: string) => {
    const one = await caller();
    one.socket.write(words);
    await until(() => one.received() === words);
    return one;
  };

  it('carries both ways, and the end of a connection too', async () => {
    const { socket } = await said('hello');
    expect(proxy.links).to.equal(1);
    socket.end();
    await once(socket, 'close');
    await until(() => proxy.links === 0);
    expect(proxy.linked).to.equal(1);
  });

  it('delays what it carries', async () => {
    proxy.setWeather({ kind: 'latency', ms: 60 });
    const began = performance.now();
    await said('hello');
    // There and back; timers may fire a millisecond early.
    expect(performance.now() - began).to.be.at.least(118);
  });

  it('carries slowly', async () => {
    proxy.setWeather({ kind: 'slow', bytesPerSecond: 1_000 });
    const began = performance.now();
    await said('x'.repeat(200));
    expect(performance.now() - began).to.be.at.least(150);
  });

  it('swallows in a black hole, on connections old and new, and lets everything through afterwards', async () => {
    const old = await said('before ');
    proxy.setWeather({ kind: 'black hole' });
    const fresh = await caller();
    old.socket.write('during');
    fresh.socket.end('during');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(atServer.map(({ received }) => received).join()).to.not.include('during');
    expect(old.socket.destroyed).to.equal(false);
    proxy.setWeather({ kind: 'clear' });
    await until(() => old.received() === 'before during' && fresh.received() === 'during');
  });

  it('forgets connections without a word, and takes new ones', async () => {
    const old = await said('before');
    proxy.forgetAll();
    old.socket.write(' after');
    await said('new');
    expect(old.received()).to.equal('before');
    expect(old.socket.destroyed).to.equal(false);
    old.socket.resetAndDestroy();
  });

  it('resets or cuts what is open', async () => {
    const reset = await said('one');
    proxy.breakAll('reset');
    await until(() => reset.failure() === 'ECONNRESET' && atServer[0]?.failure === 'ECONNRESET');
    const cut = await said('two');
    proxy.breakAll('cut');
    await once(cut.socket, 'close');
    expect(cut.failure()).to.equal(undefined);
  });

  it('breaks a connection in the middle of what is sent', async () => {
    proxy.setWeather({ kind: 'break after', bytes: 3, direction: 'up', by: 'cut' });
    const up = await caller();
    up.socket.write('abcdef');
    await once(up.socket, 'close');
    await until(() => atServer[0]?.received === 'abc');
    proxy.setWeather({ kind: 'break after', bytes: 4, direction: 'down', by: 'cut' });
    const down = await caller();
    down.socket.write('abcdef');
    await once(down.socket, 'close');
    expect(down.received()).to.equal('abcd');
    expect(atServer[1]?.received).to.equal('abcdef');
  });
});
