import { EXIT } from './failure.js';
import { endUnexpectedly, processWorld } from './process-world.js';
import { run } from './run.js';

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

const isFolderThere = (): boolean => {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
};

const start = (): Promise<number> | number => {
  if (isFolderThere()) return run(process.argv.slice(2), processWorld());
  process.stderr.write('error: The folder this was started in is gone.\n');
  return EXIT.usage;
};

/** Runs the command line of this process, and ends the process with its exit code. */
export const runProcess = async (): Promise<never> => {
  let answerLost = false;
  // Who reads no further, as `head` does, is no failure of the command; a full disk under a log must not end a deployment.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    answerLost ||= error.code !== 'EPIPE';
  });
  endUnexpectedly();
  const ran = await start();
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // An interrupted command may have a call under way, which must not hold the process.
  process.exit(answerLost && ran === EXIT.done ? EXIT.unexpected : ran);
};
