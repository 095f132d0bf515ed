import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs lines in a shell; returns their output, and fails with their error output. */
export const runInShell = async (lines: string): Promise<string> => {
  const child = spawn('sh', ['-eu', '-c', lines], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await code) !== 0) throw new Error(`The shell says ${complained}`);
  return printed;
};
