import { openSlowSockets, type SlowMessage } from './slow-sockets.js';

// The program that holds slow sockets, in a process of its own: they must slow only the server.

let held: ReturnType<typeof openSlowSockets> | undefined;
process.channel?.ref();
process.on('message', (message: SlowMessage) => {
  if (message !== 'tally' && message !== 'end') held = openSlowSockets(message);
  const tally = held?.tally();
  if (message === 'end') held?.end();
  process.send?.(tally);
});
