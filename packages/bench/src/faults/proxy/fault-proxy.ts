import { createServer, type Socket } from 'node:net';
import type { Workshop } from '../../process/workshop.js';
import { Link } from './link.js';
import type { Break, Weather } from './weather.js';

/** A way to a server of 127.0.0.1 that can be made bad. */
export interface FaultProxy {
  readonly port: number;
  /** How many connections go through it now. */
  readonly links: number;
  /** How many there ever were. */
  readonly linked: number;
  setWeather(weather: Weather): void;
  /** Breaks every connection there is now; new ones can be made. */
  breakAll(by: Break): void;
  /** Nothing ever arrives again on the connections there are now, and nobody is told. */
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
