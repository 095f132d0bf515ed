#!/usr/bin/env node
import { processWorld } from './process-world.js';
import { run } from './run.js';

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

// Who reads no further, as `head` does, is no failure of the command.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const exit = await run(process.argv.slice(2), processWorld());
await Promise.all([written(process.stdout), written(process.stderr)]);
// An interrupted command may have a call under way, which must not hold the process.
process.exit(exit);
