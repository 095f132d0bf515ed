import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on which things get lost without a word. */
export interface CuttableWay {
  /** Where the server is reached on it. */
  readonly url: string;
  /** Nothing passes any more. */
  cut(): void;
  mend(): void;
  /** Nothing passes any more on the connections there are now. */
  forget(): void;
  close(): void;
}

export const cuttableWay = async (url: string): Promise<CuttableWay> => {
  const target = new URL(url);
  const port = Number(target.port);
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (isCut) return;
    const further = connect(port, target.hostname);
    further.on('error', () => {});
    sockets.add(further);
    const carry = (from: Socket, to: Socket): void => {
      from.on('data', (data) => isCut || forgotten.has(from) || to.write(data));
    };
    carry(socket, further);
    carry(further, socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  target.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: target.href,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
    forget: () => {
      for (const socket of sockets) forgotten.add(socket);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
