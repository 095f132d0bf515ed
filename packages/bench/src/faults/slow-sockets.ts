import { connect, type Socket } from 'node:net';
import { nextMessage, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';

/** How a socket is slow. */
export type Manner =
  /** Connects and says nothing. */
  | 'silent'
  /** Sends its headers byte by byte. */
  | 'headers'
  /** Sends a body byte by byte. */
  | 'body'
  /** Asks again and again and reads no answer. */
  | 'reader';

const MANNERS: readonly Manner[] = ['silent', 'headers', 'body', 'reader'];

/** How many slow sockets to hold, a quarter of each kind; one that is cut off is opened anew. */
interface SlowOrder {
  readonly port: number;
  readonly sockets: number;
  readonly beginnings: Readonly<Record<Manner, string>>;
}

/** The counts of slow sockets so far. */
interface SlowTally {
  readonly opened: number;
  readonly openNow: number;
  /** Ended by the server, by manner. */
  readonly cut: Readonly<Record<Manner, number>>;
  /** Answers they were given, by status. */
  readonly answers: Readonly<Record<number, number>>;
}

export type SlowMessage = SlowOrder | 'tally' | 'end';

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

/** Opens sockets that are slow on purpose, to take up a server's time, and counts what becomes of them. */
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

/** Slow sockets that are held in a process of their own. */
interface SlowSockets {
  tally(): Promise<SlowTally>;
  /** Closes all sockets and returns their counts. */
  end(): Promise<SlowTally>;
}

/** Opens slow sockets in a process of their own; some may still be missing when this resolves. */
export const holdSlowSockets = async (workshop: Workshop, order: SlowOrder): Promise<SlowSockets> => {
  const child = startChild(workshop, { program: new URL('./slow-main.js', import.meta.url).href });
  const tell = (message: SlowMessage): Promise<SlowTally> => {
    child.process.send(message);
    return nextMessage<SlowTally>(child);
  };
  await tell(order);
  return {
    tally: () => tell('tally'),
    end: async () => {
      const tally = await tell('end');
      child.process.kill('SIGTERM');
      return tally;
    },
  };
};
