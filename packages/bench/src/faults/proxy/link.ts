import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Break, Direction, Weather } from './weather.js';

const SLOW_STEP_MS = 50;

/** The weather of all links of a proxy. */
export interface Sky {
  readonly weather: Weather;
  /** Resolves when the weather is another one. */
  changed(): Promise<void>;
}

/** One connection through the proxy. */
export class Link {
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
    // Whoever reads a socket hears of its failure; the other direction only writes to it.
    for (const socket of [client, this.#server]) socket.on('error', () => {});
    const both = [this.#carry('up', client, this.#server), this.#carry('down', this.#server, client)];
    void Promise.all(both).finally(() => {
      // A forgotten connection has heard of both ends and passed on neither.
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

  /** From now on nothing arrives on this connection whatever the weather, as when something between the two has forgotten it. */
  forget(): void {
    this.#isForgotten = true;
  }

  async #carry(direction: Direction, from: Socket, to: Socket): Promise<void> {
    try {
      // Ended in one direction is not ended in the other: the loop must not destroy what it has read to its end.
      const chunks: AsyncIterable<Buffer> = from.iterator({ destroyOnReturn: false });
      for await (const chunk of chunks) await this.#pass(direction, chunk, to);
      await this.#clearWay();
      if (!this.#isForgotten) to.end();
    } catch {
      // A side that was reset is gone for the other one too, unless nobody tells it.
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

  /** Waits until the system has taken it, so that no more is read than can be passed on. */
  #write(to: Socket, bytes: Buffer): Promise<void> {
    return new Promise((resolve) => to.write(bytes, () => resolve()));
  }
}
