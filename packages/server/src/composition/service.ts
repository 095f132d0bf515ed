import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { basePathOf } from '../http/base-path.js';
import { closeServer, emptyQueue, handleWith, type ListeningPlace, openServer } from '../http/server.js';
import { silentLog } from '../observability/silent-log.js';
import { startBacklog } from '../work/backlog.js';
import { startDemo } from '../work/demo.js';
import { startHistory } from '../work/history.js';
import { startImport } from '../work/import.js';
import type { Loop } from '../work/loop.js';
import { startRetention } from '../work/retention.js';
import { startTending } from '../work/tending.js';
import { startWebhooks } from '../work/webhooks.js';
import { createContainer } from './container.js';
import type { CreateRoutes, ShipworthyOptions } from './options.js';
import { TOKENS } from './token.js';

/** An instance of the service. */
export interface Shipworthy {
  /**
   * Handles a request on a server of the embedder's and resolves when it was answered; `baseUrl` must be given then. The first
   * one begins the background work. A body that was read before is taken from `request.rawBody`.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Listens, begins the background work and answers the address. @throws when the port is taken */
  listen(where: ListeningPlace): Promise<URL>;
  /** The metrics of this instance in the Prometheus text format. */
  metrics(): string;
  /** Finishes what is in hand, stores what is queued, ends the background work and closes the stores. */
  close(): Promise<void>;
}

/** How long requests in hand may take once the service closes, in milliseconds. */
const CLOSE_LIMIT = 15_000;

/** Makes the function that makes instances, on a set of routes. */
export const createShipworthyOn =
  (createRoutes: CreateRoutes) =>
  (options: ShipworthyOptions): Shipworthy => {
    if (options.baseUrl !== undefined) basePathOf(options.baseUrl);
    const log = options.log ?? silentLog;
    const servers: Server[] = [];
    const loops: Loop[] = [];
    let container: ReturnType<typeof createContainer> | undefined;
    let listener: Shipworthy['handler'] | undefined;
    let closing: Promise<void> | undefined;

    const containerAt = (address: URL): ReturnType<typeof createContainer> => {
      if (container !== undefined) return container;
      container = createContainer(options, options.baseUrl ?? address, createRoutes);
      const ports = container.resolve(TOKENS.ports);
      loops.push(
        startHistory(ports, log),
        startRetention(ports, container.resolve(TOKENS.recordRetention), log),
        ...startWebhooks(ports, log),
      );
      loops.push(startBacklog(ports, container.resolve(TOKENS.noteBacklog), log));
      if (options.tendStores !== undefined) loops.push(startTending(options.tendStores, log));
      if (options.demo === true) loops.push(startDemo(ports, log));
      if (ports.repositoryHost !== null) loops.push(startImport(ports, log));
      return container;
    };
    const listenerAt = (address: URL): Shipworthy['handler'] => {
      listener ??= containerAt(address).resolve(TOKENS.app).callback();
      return listener;
    };
    const needBaseUrl = (): URL => {
      if (options.baseUrl !== undefined) return options.baseUrl;
      throw new TypeError('Without listen() the service needs its baseUrl.');
    };

    const close = async (): Promise<void> => {
      const parts = container;
      // Before answers begin to close their connections, whose callers would join the queue again.
      await Promise.all(servers.map(emptyQueue));
      parts?.resolve(TOKENS.health).drain();
      parts?.resolve(TOKENS.machinery).streams.end();
      await Promise.all([
        ...servers.map((server) => closeServer(server, CLOSE_LIMIT)),
        ...loops.map((loop) => loop.stop()),
      ]);
      if (parts !== undefined) {
        const { work } = parts.resolve(TOKENS.machinery);
        await work.idle();
        await parts.resolve(TOKENS.reportQueue).drain();
        work.stop();
        parts.resolve(TOKENS.metrics).stop();
      }
      await options.closeStores?.();
      await log.flush();
    };

    return {
      handler: (request: IncomingMessage, response: ServerResponse) =>
        (listener ?? listenerAt(needBaseUrl()))(request, response),
      async listen(where) {
        const { server, url } = await openServer(where, (options.trustedProxies ?? 0) > 0);
        handleWith(server, listenerAt(url));
        servers.push(server);
        return url;
      },
      metrics: () => container?.resolve(TOKENS.metrics).text() ?? '',
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  };
