import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** One frame of a stream: its fields by name; a comment is `{ comment }`. */
export type Frame = Readonly<Record<string, string>>;

/** A stream of server-sent events being read. */
export interface Listening {
  readonly status: number;
  readonly message: IncomingMessage;
  readonly frames: readonly Frame[];
  /** The first frame for which that holds, past or to come. */
  frame(holds: (frame: Frame) => boolean): Promise<Frame>;
  /** Resolves when the service ended it. */
  readonly ended: Promise<void>;
  leave(): void;
}

const frameOf = (text: string): Frame =>
  Object.fromEntries(
    text.split('\n').map((line) => {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      return [name === '' ? 'comment' : name, value];
    }),
  );

const opened = (url: string, headers: Readonly<Record<string, string>>) =>
  new Promise<{ sent: ClientRequest; message: IncomingMessage }>((resolve, reject) => {
    const sent = request(url, { agent: false, headers }, (message) => resolve({ sent, message }));
    sent.once('error', reject);
    sent.end();
  });

/** Opens a stream over a connection of its own and reads it. */
export const listen = async (url: string, headers: Readonly<Record<string, string>>): Promise<Listening> => {
  const { sent, message } = await opened(url, headers);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  message.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    frames.push(...parts.map(frameOf));
    for (const look of [...waiting]) look();
  });
  const ended = new Promise<void>((resolve) => {
    message.once('close', resolve);
    message.on('error', () => resolve());
  });
  sent.on('error', () => undefined);
  return {
    status: message.statusCode ?? 0,
    message,
    frames,
    ended,
    leave: () => sent.destroy(),
    frame: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = frames.find(holds);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
};

/** Of that type of event. */
export const isEvent =
  (type: string) =>
  ({ event }: Frame): boolean =>
    event === type;
