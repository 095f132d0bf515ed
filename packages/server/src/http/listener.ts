import type { EventEmitter } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import type { ReadableStream as SentBody } from 'node:stream/web';
import { runTime } from '@shipworthy/adapters/clock';
import { networkOf } from '@shipworthy/domain';
import inject, { type DispatchFunc } from 'light-my-request';
import { createSharedLimit } from './limits.js';

/** Limits in time of a connection, in milliseconds. */
const CONNECTION_LIMITS = {
  headers: 10_000,
  request: 30_000,
  /** Time without a byte in either direction during an answer: a caller that reads nothing is cut off after two of these. */
  stalled: 30_000,
  /** Longer than the usual load balancer's minute, so that the load balancer closes idle connections first. */
  keepAlive: 65_000,
  checkEvery: 1000,
} as const;

/** How many connections are open at once unless told; one more is closed at once. */
const MOST_CONNECTIONS = 10_000;

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

const DETAILS: Readonly<Record<number, string>> = {
  400: 'The request is not well-formed HTTP/1.1.',
  408: 'The request came too slowly.',
  417: 'The only expectation that is met is 100-continue.',
  431: 'The address and headers of the request are too long.',
};

/** The answer to a request that never reaches the application: status line, headers and body. */
const refusalOf = (status: number) => {
  const title = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: DETAILS[status] });
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(body.length),
    Connection: 'close',
  };
  return { title, headers, body };
};

const refuseRequest = (response: ServerResponse, status: number): void => {
  const { headers, body } = refusalOf(status);
  response.writeHead(status, headers).end(body);
};

const refuseConnection = (socket: Duplex, status: number): void => {
  const { title, headers, body } = refusalOf(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`);
};

/** Refuses requests that are not HTTP, come too slowly, have too many headers or an expectation, or want a tunnel. */
const refuseBeforehand = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else refuseConnection(socket, STATUS_BY_CODE[error.code ?? ''] ?? 400);
  });
  server.on('connect', (_, socket) => refuseConnection(socket, 400));
  server.on('checkExpectation', (_, response) => refuseRequest(response, 417));
};

/** One network may have a quarter of the connections that others leave, so that a few networks cannot take them all. */
const PART_OF_NETWORK = 4;

/** Closes new connections of a network that has its share already. */
export const shareConnections = (server: EventEmitter, most: number): void => {
  const share = createSharedLimit(most, PART_OF_NETWORK);
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    if (share.crossed(network, 1) !== null) {
      socket.destroy();
      return;
    }
    share.take(network, 1);
    socket.once('close', () => share.give(network, 1));
  });
};

const openSockets = new WeakMap<Server, Set<Socket>>();

const keepTrack = (server: Server): void => {
  const open = new Set<Socket>();
  openSockets.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
};

/** Closes connections that never received a byte, such as those clients open in advance. Node counts them as busy. */
const closeUnused = (server: Server): void => {
  for (const socket of openSockets.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
};

/** Where to listen, and to how many connections at once; 10,000 unless given. */
export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  readonly mostConnections?: number;
}

/**
 * Opens a server that listens. A network gets a quarter of the connections that others leave, unless all come from
 * proxies. Before the event loop turns, the caller must add the handler by `server.on('request', ...)`.
 */
export const openServer = async (
  { host, port, mostConnections = MOST_CONNECTIONS }: ListeningPlace,
  behindProxies = false,
): Promise<{ readonly server: Server; readonly url: URL }> => {
  const server = createServer({
    headersTimeout: CONNECTION_LIMITS.headers,
    requestTimeout: CONNECTION_LIMITS.request,
    keepAliveTimeout: CONNECTION_LIMITS.keepAlive,
    connectionsCheckingInterval: CONNECTION_LIMITS.checkEvery,
    noDelay: true,
    // Refused by `handleWith`, with an answer that says why.
    requireHostHeader: false,
  });
  server.maxConnections = mostConnections;
  keepTrack(server);
  if (!behindProxies) shareConnections(server, mostConnections);
  server.timeout = CONNECTION_LIMITS.stalled;
  refuseBeforehand(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return { server, url: new URL(`http://${name.includes(':') ? `[${name}]` : name}:${actual}`) };
};

/** Counts the headers of a request with this name, which is in lower case. */
const timesSent = ({ rawHeaders }: IncomingMessage, wanted: string): number =>
  rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === wanted).length;

/** Passes the requests of the server to the handler, those of one connection one after another. */
export const handleWith = (server: Server, handler: RequestListener): void => {
  const handle = oneAtATime((request, response) => {
    const hosts = timesSent(request, 'host');
    // RFC 9112, 3.2: no Host in HTTP/1.1, and more than one in any version, is answered with 400.
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) refuseRequest(response, 400);
    // RFC 9110, 5.3: Node keeps the first Authorization; a proxy before us may have judged by the second.
    else if (timesSent(request, 'authorization') > 1) refuseRequest(response, 400);
    else handler(request, response);
  });
  server.on('request', handle);
};

const EMPTIED_WITHIN_MS = 1000;

/**
 * Waits, a second at most, until the system's queue of new connections is empty. Connections left in it when listening
 * ends are reset, although their requests may be here already.
 */
export const emptyQueue = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const until = performance.now() + EMPTIED_WITHIN_MS;
    let taken = true;
    const onConnection = (): void => {
      taken = true;
    };
    const look = (): void => {
      // A turn of the event loop may take one connection only: the queue is empty when a turn took none.
      if (taken && performance.now() < until) {
        taken = false;
        setImmediate(look);
      } else {
        server.off('connection', onConnection);
        resolve();
      }
    };
    server.on('connection', onConnection);
    setImmediate(look);
  });

const GRACE_MS = 1000;

/**
 * Stops accepting, lets requests on open connections be answered (the answers close them), and closes what is idle. What is
 * still open after `limitMs` of the clock is cut off: the service manager would kill the process soon.
 */
export const closeServer = async (server: Server, limitMs: number): Promise<void> => {
  // Not the HTTP server's own close: it drops idle connections at once, on which a request may be on its way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  // Counted in run time: a request that arrived while this process was paused is read before its connection counts as idle.
  const closeIdle = (): void => {
    server.closeIdleConnections();
    closeUnused(server);
    stop = runTime.after(GRACE_MS, closeIdle);
  };
  let stop = runTime.after(GRACE_MS, closeIdle);
  const cut = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  stop();
  clearTimeout(cut);
  // Stops the timer by which the HTTP server checks its connections.
  server.close();
};

/** Most requests that wait on one connection for earlier answers. A client that sends more ahead is cut off. */
const MOST_WAITING_REQUESTS = 100;

/** The requests of one connection: one that is answered now, and those sent ahead. */
interface Line {
  isAnswering: boolean;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Hands the requests of a connection to the handler one after another, each once the one before is answered and in another turn of
 * the event loop. Node would hand over at once all that came in one read, which are thousands of short requests: together they would
 * hold the thread and keep all other requests waiting.
 */
const oneAtATime = (handler: RequestListener): RequestListener => {
  const lines = new WeakMap<Socket, Line>();

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { isAnswering: false, waiting: [] };
    lines.set(socket, line);
    return line;
  };

  const answer = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.isAnswering = true;
    response.once('close', () => {
      line.isAnswering = false;
      if (line.waiting.length > 0) setImmediate(answerNext, line, request.socket);
    });
    handler(request, response);
  };

  const answerNext = (line: Line, socket: Socket): void => {
    // An answer may have closed the connection: what was sent ahead is then not carried out, since nothing could be answered.
    const next = socket.writable ? line.waiting.shift() : undefined;
    if (next === undefined) {
      line.waiting.length = 0;
      return;
    }
    // The paused connection may still hold the rest of this request's body.
    if (line.waiting.length === 0) socket.resume();
    answer(line, ...next);
  };

  return (request, response) => {
    const { socket } = request;
    const line = lineOf(socket);
    if (!line.isAnswering && line.waiting.length === 0) {
      answer(line, request, response);
    } else if (!socket.writable || line.waiting.length >= MOST_WAITING_REQUESTS) {
      line.waiting.length = 0;
      socket.destroy();
    } else {
      line.waiting.push([request, response]);
      // Stops reading the connection until the waiting requests are answered.
      socket.pause();
    }
  };
};

/** Headers about the connection between two programs; there is none here (RFC 9110, 7.6.1). */
const OF_A_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** The statuses of answers without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/**
 * Returns an answer's body as a web stream that reads only on demand. Node's own `toWeb` throws where nothing can catch
 * it when the stream is cancelled early.
 */
const bodyOf = (body: Readable, onRead: () => void): ReadableStream<Uint8Array> => {
  const chunks = body[Symbol.asyncIterator]();
  // A chunk fetched in advance would count as read.
  return new ReadableStream(
    {
      pull: async (controller) => {
        onRead();
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
};

/** An answer is cut off when nothing of it is read for this many milliseconds, as over a socket. */
const UNREAD_FOR = 60_000;

/** Keeps a written answer open until its body was read, as a socket does: limits count an answer until it is closed. */
const openUntilRead = (response: ServerResponse) => {
  const [end, destroy] = [response.end.bind(response), response.destroy.bind(response)];
  let body: Readable | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;
  const closeOnceRead = (): void => {
    if (body === null || !response.writableEnded) return;
    if (body.closed) destroy();
    else timer ??= setTimeout(() => body?.destroy(new Error('The answer was not read.')), UNREAD_FOR).unref();
  };
  // light-my-request destroys an answer as soon as it is written, before it is read.
  response.end = ((...given: Parameters<typeof end>) => {
    isEnding = true;
    end(...given);
    isEnding = false;
    return response;
  }) as typeof response.end;
  response.destroy = (error) => {
    if (!isEnding) return destroy(error);
    closeOnceRead();
    return response;
  };
  return {
    follow(read: Readable): void {
      body = read;
      read.once('close', () => {
        clearTimeout(timer);
        destroy();
      });
      closeOnceRead();
    },
    onRead: () => void timer?.refresh(),
  };
};

/** A body that was read or is being read by others; its bytes may be kept in `rawBody`. */
const isTaken = ({ bodyUsed, body }: Request): boolean => bodyUsed || body?.locked === true;

/** Lets the handler see that the body was read before. */
const markRead = (given: IncomingMessage, { rawBody }: Request & { readonly rawBody?: unknown }): void => {
  Object.defineProperty(given, 'readableDidRead', { value: true });
  Object.assign(given, { rawBody });
};

/** What is known of a request beside the request itself. */
export interface FetchSurroundings {
  /** Network address by which a caller without a key or session is counted; without it all of them count together. */
  readonly address?: string | undefined;
}

/**
 * Returns the headers with `transfer-encoding` added where a body has no length: Node reads a body by one of the two,
 * and a `Request` need not name either.
 */
const framed = (request: Request): Record<string, string> => ({
  ...Object.fromEntries(request.headers),
  ...(request.body === null || request.headers.has('content-length') ? {} : { 'transfer-encoding': 'chunked' }),
});

/**
 * A handler of Node's requests as a function from `Request` to `Response`. The answer's body is passed on as it is written; when
 * the caller cancels it or aborts the request, the handler sees that its connection is gone.
 */
export const fetchBy =
  (handler: DispatchFunc) =>
  async (request: Request, { address }: FetchSurroundings = {}): Promise<Response> => {
    // light-my-request throws for an aborted request where nothing can catch it, which ends the process. So the signal
    // is checked here, and `end` begins the injection in this same turn.
    request.signal.throwIfAborted();
    const isRead = isTaken(request);
    let open: ReturnType<typeof openUntilRead> | undefined;
    const dispatch: DispatchFunc = (given, response) => {
      if (isRead) markRead(given as unknown as IncomingMessage, request);
      open = openUntilRead(response as ServerResponse);
      handler(given, response);
    };
    const answer = await inject(dispatch, {
      method: request.method as 'GET',
      url: request.url,
      headers: framed(request),
      ...(request.body === null || isRead ? {} : { payload: Readable.fromWeb(request.body as SentBody) }),
      ...(address === undefined ? {} : { remoteAddress: address }),
      payloadAsStream: true,
      // The handler itself refuses unknown methods.
      validate: false,
      signal: request.signal,
    }).end();
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (!OF_A_CONNECTION.has(name)) for (const one of [value].flat()) headers.append(name, String(one));
    const body = answer.stream();
    // light-my-request counts written bytes as sent, however slowly they are read. Without this, a stream could keep
    // any number of unread bytes.
    Object.defineProperty(answer.raw.res, 'writableLength', { get: () => body.readableLength });
    open?.follow(body);
    const { statusCode: status } = answer;
    if (!WITHOUT_BODY.has(status) && request.method !== 'HEAD')
      return new Response(
        bodyOf(body, () => open?.onRead()),
        { status, headers },
      );
    body.resume();
    return new Response(null, { status, headers });
  };
