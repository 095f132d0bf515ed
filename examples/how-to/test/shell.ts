import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a block as a reader does who copies it into a terminal, and answers what it printed. @throws Error when it fails */
export const runBlock = async (
  block: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> => {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', block], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complained, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
  if (code !== 0) throw new Error(`It ended with ${code}: ${said}${complained}`);
  return said;
};
