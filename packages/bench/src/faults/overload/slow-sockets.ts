import { connect, type Socket } from 'node:net';
import { MANNERS, type Manner, type SlowOrder, type SlowTally } from './slow-order.js';

const BYTE_EVERY_MS = 1_000;
const ONE_BYTE = 'x';
/** Answers that are asked for and never read: more than fits into the system's buffers. */
const ASKED_AT_ONCE = 40;
const OPENED_PER_TURN = 50;

const begin = (manner: Manner, beginning: string, socket: Socket): void => {
  if (manner === 'reader') {
    socket.pause();
    socket.write(beginning.repeat(ASKED_AT_ONCE));
  } else socket.write(beginning);
};

const isDripping = (manner: Manner): boolean => manner === 'headers' || manner === 'body';

/** Sockets that take up a server's time and patience. */
export const openSlowSockets = ({ port, sockets, beginnings }: SlowOrder) => {
  const all = new Map<Socket, Manner>();
  const cut: Record<Manner, number> = { silent: 0, headers: 0, body: 0, reader: 0 };
  const answers: Record<number, number> = {};
  let opened = 0;
  let isOver = false;

  const openOne = (manner: Manner): void => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    all.set(socket, manner);
    opened += 1;
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('connect', () => begin(manner, beginnings[manner], socket));
    socket.on('data', (text: string) => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      if (status > 0) answers[status] = (answers[status] ?? 0) + 1;
    });
    socket.on('close', () => {
      all.delete(socket);
      if (isOver) return;
      cut[manner] += 1;
      openOne(manner);
    });
  };
  const openSome = (from: number): void => {
    for (let index = from; index < Math.min(sockets, from + OPENED_PER_TURN); index += 1)
      openOne(MANNERS[index % MANNERS.length] ?? 'silent');
    if (from + OPENED_PER_TURN < sockets && !isOver) setImmediate(() => openSome(from + OPENED_PER_TURN));
  };
  const drip = setInterval(() => {
    for (const [socket, manner] of all) if (isDripping(manner) && socket.writable) socket.write(ONE_BYTE);
  }, BYTE_EVERY_MS);
  openSome(0);
  return {
    tally: (): SlowTally => ({ opened, openNow: all.size, cut, answers }),
    end: (): void => {
      isOver = true;
      clearInterval(drip);
      for (const socket of all.keys()) socket.destroy();
    },
  };
};
