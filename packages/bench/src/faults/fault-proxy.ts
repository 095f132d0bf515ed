import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Workshop } from '../process/workshop.js';

const SLOW_STEP_MS = 50;

/** The weather of all links of a proxy. */
interface Sky {
  readonly weather: Weather;
  /** Resolves when the weather is another one. */
  changed(): Promise<void>;
}

/** One connection through the proxy. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #sky: Sky;
  readonly #carried: Record<Direction, number> = { up: 0, down: 0 };
  #isForgotten = false;

  constructor(client: Socket, serverPort: number, sky: Sky, onEnd: (link: Link) => void) {
    this.#client = client;
    this.#server = connect({ port: serverPort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#sky = sky;
    client.setNoDelay(true);
    // A failure is handled where the socket is read; this listener only keeps it from ending the process.
    for (const socket of [client, this.#server]) socket.on('error', () => {});
    const both = [this.#carry('up', client, this.#server), this.#carry('down', this.#server, client)];
    void Promise.all(both).finally(() => {
      // A forgotten connection receives the ends of both sides and passes on neither.
      this.break('cut');
      onEnd(this);
    });
  }

  break(by: Break): void {
    for (const socket of [this.#client, this.#server]) {
      if (by === 'reset') socket.resetAndDestroy();
      else socket.destroy();
    }
  }

  /** Stops the connection without telling either side, in any weather, as a router does that dropped it. */
  forget(): void {
    this.#isForgotten = true;
  }

  async #carry(direction: Direction, from: Socket, to: Socket): Promise<void> {
    try {
      // The other direction may still be open: the loop must not destroy the socket that it has read to its end.
      const chunks: AsyncIterable<Buffer> = from.iterator({ destroyOnReturn: false });
      for await (const chunk of chunks) await this.#pass(direction, chunk, to);
      await this.#clearWay();
      if (!this.#isForgotten) to.end();
    } catch {
      // A reset of one side reaches the other one too, unless the weather swallows it.
      await this.#clearWay();
      if (!this.#isForgotten) to.resetAndDestroy();
    }
  }

  async #clearWay(): Promise<void> {
    while (this.#sky.weather.kind === 'black hole') await this.#sky.changed();
  }

  async #pass(direction: Direction, chunk: Buffer, to: Socket): Promise<void> {
    await this.#clearWay();
    if (this.#isForgotten) return;
    const { weather } = this.#sky;
    if (weather.kind === 'latency') await pause(weather.ms);
    if (weather.kind === 'slow') return this.#trickle(chunk, weather.bytesPerSecond, to);
    if (weather.kind === 'break after' && weather.direction === direction) {
      const left = Math.max(0, weather.bytes - this.#carried[direction]);
      this.#carried[direction] += chunk.length;
      if (chunk.length >= left) {
        await this.#write(to, chunk.subarray(0, left));
        return this.break(weather.by);
      }
    }
    await this.#write(to, chunk);
  }

  async #trickle(chunk: Buffer, bytesPerSecond: number, to: Socket): Promise<void> {
    const step = Math.max(1, Math.round((bytesPerSecond * SLOW_STEP_MS) / 1_000));
    for (let from = 0; from < chunk.length && !to.destroyed; from += step) {
      if (this.#sky.weather.kind !== 'slow') return this.#write(to, chunk.subarray(from));
      await this.#write(to, chunk.subarray(from, from + step));
      await pause(SLOW_STEP_MS);
    }
  }

  /** Waits until the system has taken the bytes, so that no more is read than can be passed on. */
  #write(to: Socket, bytes: Buffer): Promise<void> {
    return new Promise((resolve) => to.write(bytes, () => resolve()));
  }
}

/** A proxy to a server of 127.0.0.1 that can disturb its connections. */
export interface FaultProxy {
  readonly port: number;
  /** Connections that go through it now. */
  readonly links: number;
  /** How many connections there ever were. */
  readonly linked: number;
  setWeather(weather: Weather): void;
  /** Breaks every connection there is now; new ones can be made. */
  breakAll(by: Break): void;
  /** Nothing ever arrives again on the present connections, and neither side is told. */
  forgetAll(): void;
  close(): Promise<void>;
}

/** Opens a proxy to a port; it is closed with the workshop. */
export const openFaultProxy = async (workshop: Workshop, serverPort: number): Promise<FaultProxy> => {
  const links = new Set<Link>();
  let linked = 0;
  let weather: Weather = { kind: 'clear' };
  let tellOfChange: (() => void)[] = [];
  const sky = {
    get weather() {
      return weather;
    },
    changed: () => new Promise<void>((resolve) => tellOfChange.push(resolve)),
  };
  const server = createServer({ allowHalfOpen: true }, (client: Socket) => {
    linked += 1;
    links.add(new Link(client, serverPort, sky, (link) => links.delete(link)));
  });
  const setWeather = (next: Weather): void => {
    weather = next;
    const told = tellOfChange;
    tellOfChange = [];
    for (const resolve of told) resolve();
  };
  const breakAll = (by: Break): void => {
    for (const link of links) link.break(by);
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      setWeather({ kind: 'clear' });
      breakAll('cut');
    });
  workshop.atClose(close);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('No port was given.');
  return {
    port: address.port,
    get links() {
      return links.size;
    },
    get linked() {
      return linked;
    },
    setWeather,
    breakAll,
    forgetAll: () => {
      for (const link of links) link.forget();
    },
    close,
  };
};

/** The state of the network between two programs. */
export type Weather =
  | { readonly kind: 'clear' }
  /** Everything arrives `ms` milliseconds later, in each direction. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Nothing arrives and no side is told, also on connections that were made before; it arrives once the weather changes. */
  | { readonly kind: 'black hole' }
  /** No more than this is carried in each direction of each connection. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** A connection breaks once that many bytes went in one direction. */
  | {
      readonly kind: 'break after';
      readonly bytes: number;
      readonly direction: Direction;
      readonly by: Break;
    };

/** From the client to the server, or back. */
type Direction = 'up' | 'down';

/** How both sides see a connection end: as if the other had ended it, or by a reset. */
type Break = 'cut' | 'reset';

const CLEAR: Weather = { kind: 'clear' };
/** A request of the load has some 450 bytes, its answer some 900. */
const REQUEST_BYTES = 500;
const ANSWER_BYTES = 1_000;

const below = (most: number): number => Math.floor(Math.random() * most);

/** Bad weather of one sort, which changes within its sort and lets something through now and then. */
interface Storm {
  readonly name: string;
  /** The weather of the next moment; null: reset all open connections. */
  next(): Weather | null;
}

const breaking = (direction: 'up' | 'down', bytes: number): Weather => ({
  kind: 'break after',
  direction,
  bytes: below(bytes),
  by: below(2) === 0 ? 'cut' : 'reset',
});
const orClear = (weather: Weather): Weather => (below(4) === 0 ? CLEAR : weather);

const latency: Storm = { name: 'latency of 5 to 250 ms', next: () => ({ kind: 'latency', ms: 5 + below(246) }) };
const slow: Storm = {
  name: 'slow readers and writers (1 to 8 kB/s)',
  next: () => orClear({ kind: 'slow', bytesPerSecond: 1_000 + below(7_001) }),
};
const inRequest: Storm = {
  name: 'broken in the middle of requests',
  next: () => orClear(breaking('up', REQUEST_BYTES)),
};
const inAnswer: Storm = {
  name: 'broken in the middle of answers',
  next: () => orClear(breaking('down', ANSWER_BYTES)),
};
const resets: Storm = { name: 'reset at any moment', next: () => (below(2) === 0 ? null : CLEAR) };
const blackHole: Storm = {
  name: 'everything swallowed for moments',
  next: () => (below(2) === 0 ? { kind: 'black hole' } : CLEAR),
};

export const STORMS: readonly Storm[] = [latency, slow, inRequest, inAnswer, resets, blackHole];

/** Lets a storm rage for a while; afterwards the weather is clear. */
export const rage = async (proxy: FaultProxy, storm: Storm, lastsMs: number): Promise<void> => {
  const end = performance.now() + lastsMs;
  while (performance.now() < end) {
    const weather = storm.next();
    if (weather === null) proxy.breakAll('reset');
    else proxy.setWeather(weather);
    await pause(30 + below(120));
  }
  proxy.setWeather(CLEAR);
};
