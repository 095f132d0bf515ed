import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as SentBody } from 'node:stream/web';
import inject, { type DispatchFunc } from 'light-my-request';

/** Of one connection between two programs, of which there is none here (RFC 9110, 7.6.1). */
const OF_A_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** The statuses of answers without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** The body of an answer, read as far as it is asked for. Node's own `toWeb` throws where none can catch when it is cancelled in time. */
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

/** An answer of which nothing is read for so long is cut off, in milliseconds, as it is over a socket. */
const UNREAD_FOR = 60_000;

/**
 * Keeps a written answer open until its body was read, as a socket does: what waits for a reader is counted until the answer is closed.
 */
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
  // The injection closes an answer as soon as it is written.
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
  /** The address of the caller, by which those without a key or session are counted; all of them together unless given. */
  readonly address?: string | undefined;
}

/** Whole bodies are read by their length or in chunks, and a `Request` need not say which. */
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
    // Of a request that is aborted already the injection throws where it cannot be caught, which ends the process: so it is begun in
    // this same turn, too, by `end`.
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
      // Which methods there are is told by the handler.
      validate: false,
      signal: request.signal,
    }).end();
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (!OF_A_CONNECTION.has(name)) for (const one of [value].flat()) headers.append(name, String(one));
    const body = answer.stream();
    // What was written counts as sent at once, however slowly it is read: without this, nothing would bound what waits of a stream.
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
