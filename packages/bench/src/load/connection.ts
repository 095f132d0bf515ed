import { connect } from 'node:net';

/** One answer of a server; head and body as latin1 text, one character per byte. */
export interface LoadAnswer {
  readonly status: number;
  /** Status line and headers, without the empty line after them. */
  readonly head: string;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

const isBodiless = (status: number): boolean => status === 304 || status === 204;

/**
 * Reads HTTP/1.1 answers out of a stream of latin1 text. Cheap on purpose: load and server share the machine.
 * @throws Error on an answer without Content-Length, such as one in chunks
 */
export const answerReader = (onAnswer: (answer: LoadAnswer) => void): ((text: string) => void) => {
  let pending = '';
  return (text) => {
    pending = pending === '' ? text : pending + text;
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const status = Number(pending.slice(9, 12));
      const head = pending.slice(0, headEnd);
      const length = isBodiless(status) ? '0' : LENGTH.exec(head)?.[1];
      if (length === undefined) throw new Error(`An answer without a length: ${head}`);
      const end = headEnd + HEAD_END.length + Number(length);
      if (pending.length < end) return;
      const body = pending.slice(headEnd + HEAD_END.length, end);
      pending = pending.slice(end);
      onAnswer({ status, head, body });
    }
  };
};

/** A kept-alive connection that carries one request at a time. */
export interface LoadConnection {
  /** Sends the request; rejects when the connection breaks before the whole answer is there. */
  ask(request: string): Promise<LoadAnswer>;
  end(): void;
}

interface Waiting {
  readonly resolve: (answer: LoadAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Connects to a port of 127.0.0.1. */
export const openConnection = (port: number): Promise<LoadConnection> =>
  new Promise((resolveOpen, rejectOpen) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    let waiting: Waiting | undefined;
    const breakOff = (error: Error): void => {
      rejectOpen(error);
      waiting?.reject(error);
      waiting = undefined;
    };
    const read = answerReader((answer) => {
      const asked = waiting;
      waiting = undefined;
      asked?.resolve(answer);
    });
    socket.on('data', (text: string) => {
      try {
        read(text);
      } catch (error) {
        breakOff(error instanceof Error ? error : new Error(String(error)));
        socket.destroy();
      }
    });
    socket.on('error', breakOff);
    socket.on('close', () => breakOff(new Error('The server closed the connection.')));
    socket.on('connect', () =>
      resolveOpen({
        ask: (request) =>
          new Promise((resolve, reject) => {
            if (socket.destroyed) return reject(new Error('The connection is closed.'));
            waiting = { resolve, reject };
            socket.write(request, 'latin1');
          }),
        end: () => socket.destroy(),
      }),
    );
  });

/** Connects several times. */
export const openConnections = (port: number, count: number): Promise<LoadConnection[]> =>
  Promise.all(Array.from({ length: count }, () => openConnection(port)));
