import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { World } from './world.js';

/** How to run a program whose output is read and not shown. */
interface ProgramOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Written to its stdin, which is then closed; without it stdin is empty. */
  readonly input?: string | undefined;
  /** Milliseconds after which it is ended with all it started. */
  readonly limitMs: number;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended. */
export interface ProgramEnd {
  /** null: it was ended by a signal, ran out of time, or could not be started. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** `ENOENT` and the like where it could not be started. */
  readonly fault: string | null;
}

/** Output beyond about this many characters is dropped. */
const MOST = 16 * 1024 * 1024;

const collector = () => {
  const decoder = new StringDecoder('utf8');
  let text = '';
  return {
    add: (chunk: Buffer) => {
      if (text.length < MOST) text += decoder.write(chunk);
    },
    text: () => text,
  };
};

/** Runs a program without a shell, a terminal or a stdin of the user's. Never rejects. */
export const runProgram = (
  [program, ...words]: readonly [string, ...string[]],
  { folder, env, input, limitMs, signal }: ProgramOptions,
): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    const place = programAt(program, env);
    if (place === undefined) return resolve({ exit: null, stdout: '', stderr: '', timedOut: false, fault: 'ENOENT' });
    const [stdout, stderr] = [collector(), collector()];
    const ownGroup = process.platform !== 'win32';
    const child = spawn(place, words, {
      cwd: folder,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A group of its own has no terminal to ask on, and can be ended with everything in it.
      detached: ownGroup,
      windowsHide: true,
    });
    let timedOut = false;
    const end = () => {
      try {
        if (ownGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // The process has ended already.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, limitMs);
    const settle = (exit: number | null, fault: string | null) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve({ exit, stdout: stdout.text(), stderr: stderr.text(), timedOut, fault });
    };
    signal?.addEventListener('abort', end);
    child.stdout?.on('data', stdout.add);
    child.stderr?.on('data', stderr.add);
    child.once('error', (error: NodeJS.ErrnoException) => settle(null, error.code ?? error.message));
    child.once('close', (code) => settle(code, null));
    // A program that does not read closes the pipe early.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });

type Env = World['env'];

// On Windows the case of a variable's name does not matter.
const KEY = /^SHIPWORTHY_API_KEY(_FILE)?$/i;
const PATH = /^PATH$/i;

/** The environment without the API key, which nothing that is started needs. */
export const withoutKey = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !KEY.test(name)));

const isOwn = (folder: string): boolean => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder);

const ownFolders = (path: string): string => {
  const own = path.split(delimiter).filter(isOwn);
  // An empty PATH means the current folder.
  return own.length === 0 ? parse(process.execPath).root : own.join(delimiter);
};

/**
 * The environment for programs of the machine, such as git, that read a repository of another person: without the key, and with
 * no folder of a repository in PATH. npm and npx put `node_modules/.bin` before the others, in which any dependency may have a
 * `git`.
 */
export const ownEnvironment = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(withoutKey(env)).map(([name, value]) => [
      name,
      value !== undefined && PATH.test(name) ? ownFolders(value) : value,
    ]),
  );

/**
 * What to start for the name of a program; undefined where there is none. On Windows it is looked up here: the system would
 * take one in the current folder first, which may be anybody's.
 */
export const programAt = (name: string, env: Env, platform: NodeJS.Platform = process.platform): string | undefined => {
  if (platform !== 'win32' || isAbsolute(name)) return name;
  const path = Object.entries(env).find(([variable]) => PATH.test(variable))?.[1] ?? '';
  const files = name.includes('.') ? [name] : [`${name}.exe`, `${name}.com`];
  const places = path.split(';').filter(isOwn);
  return places.flatMap((folder) => files.map((file) => join(folder, file))).find((place) => existsSync(place));
};
