import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** How the script ended and what it said. */
export interface Ended {
  readonly code: number;
  readonly said: string;
  readonly complained: string;
}

const script = fileURLToPath(new URL('../../shipworthy.sh', import.meta.url));

/** Runs the script with the settings, as a pipeline does: with nothing else in its environment but the path to tools. */
export const runScript = async (
  settings: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ended> => {
  const child = spawn('bash', [script, ...words], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, said, complained };
};
