import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const KNEX = new URL('../../src/knex/', import.meta.url).href;

/** Starts a process that runs the script; `open` is our module, `SCHEMA_STEPS` and `takeSteps` are in its migrations. */
export const startChild = (script: string, environment: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '--eval', script.replaceAll('KNEX/', KNEX)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Waits until the process has written the text. */
export const written = async (child: ChildProcess, text: string): Promise<void> => {
  let output = '';
  while (!output.includes(text)) {
    const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    output += chunk.toString();
  }
};

/** What the process wrote until it ended. */
export const outputOf = async (child: ChildProcess): Promise<string> => {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, 'close');
  return output;
};

/** Kills the process as nothing can be defended against, and waits until it is gone. */
export const killed = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
};
