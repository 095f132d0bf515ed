import { connect } from 'node:net';
import { type Answer, answerReader } from './answer-reader.js';

/** A kept-alive connection that carries one request at a time. */
export interface Connection {
  /** Sends the request; rejects when the connection breaks before the whole answer is there. */
  ask(request: string): Promise<Answer>;
  end(): void;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** Connects to a port of 127.0.0.1. */
export const openConnection = (port: number): Promise<Connection> =>
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
export const openConnections = (port: number, count: number): Promise<Connection[]> =>
  Promise.all(Array.from({ length: count }, () => openConnection(port)));
