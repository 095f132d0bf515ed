import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests that wait on a connection for the answers before theirs. A client that sends more ahead is cut off. */
const MOST_WAITING = 100;

/** The requests of one connection: one that is answered now, and those sent ahead. */
interface Line {
  isAnswering: boolean;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Hands the requests of a connection to the handler one after another, each once the one before is answered and in another turn of
 * the event loop. Node would hand over at once all that came in one read, which are thousands of short requests: together they would
 * hold the thread, and nobody else would be answered.
 */
export const oneAtATime = (handler: RequestListener): RequestListener => {
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
    // The rest of this request's body may not be read yet.
    if (line.waiting.length === 0) socket.resume();
    answer(line, ...next);
  };

  return (request, response) => {
    const { socket } = request;
    const line = lineOf(socket);
    if (!line.isAnswering && line.waiting.length === 0) {
      answer(line, request, response);
    } else if (!socket.writable || line.waiting.length >= MOST_WAITING) {
      line.waiting.length = 0;
      socket.destroy();
    } else {
      line.waiting.push([request, response]);
      // No more is read than is here already.
      socket.pause();
    }
  };
};
