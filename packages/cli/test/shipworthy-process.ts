import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The command as a process of its own. */
export interface ShipworthyProcess {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when stdout or stderr hold the text. */
  readonly said: (text: string) => Promise<void>;
  readonly ended: Promise<{
    readonly exit: number | null;
    readonly signal: string | null;
    readonly out: string;
    readonly err: string;
  }>;
}

/** The command as it is published: the bundle. */
export const COMMAND = fileURLToPath(new URL('../bundle/main.js', import.meta.url));

/** Starts `shipworthy` in a folder; its environment holds nothing but PATH, HOME (the folder) and what is given. */
export const startShipworthy = (
  folder: string,
  env: Readonly<Record<string, string>>,
  ...argv: readonly string[]
): ShipworthyProcess => {
  const child = spawn(process.execPath, [COMMAND, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (`${out}${err}`.includes(text)) resolve();
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      look();
    });
  const ended = once(child, 'close').then(([exit, signal]) => ({ exit, signal, out, err }));
  return { child, out: () => out, err: () => err, said, ended };
};
