import { type Child, nextMessage } from './child.js';

/** What is answered to an order. */
type Reply = { readonly result: unknown } | { readonly failure: string };

/** In a program that lives for orders: carries out each that comes over its channel, and tells what came of it. */
export const obey = <Order>(carryOut: (order: Order) => unknown): void => {
  const tell = (reply: Reply): void => void process.send?.(reply);
  // Between two orders nothing else keeps this process alive.
  process.channel?.ref();
  process.on('message', async (order: Order) => {
    try {
      tell({ result: await carryOut(order) });
    } catch (error) {
      tell({ failure: error instanceof Error ? error.message : String(error) });
    }
  });
};

/** Gives a child that obeys an order and waits for what comes of it. @throws Error that begins with `otherwise` when it could not be carried out */
export const ordered = async <Result>(child: Child, order: object, otherwise: string): Promise<Result> => {
  child.process.send(order);
  const reply = await nextMessage<Reply>(child);
  if ('failure' in reply) throw new Error(`${otherwise}: ${reply.failure}`);
  return reply.result as Result;
};
