import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ChildEnd, runChild } from '../src/run-child.js';
import { type CommandSession, openCommandSession } from '../src/session.js';
import { startShipworthy } from './shipworthy-process.js';
import { runIn, type StandIn, standIn } from './stand-in.js';

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('runChild', () => {
  let world: StandIn;
  let session: CommandSession;
  let clock = 0;
  beforeEach(async () => {
    clock = 0;
    world = await standIn({ now: () => clock });
    session = openCommandSession(world, 'test', { timeout: 1, color: false });
  });
  afterEach(async () => {
    session.close();
    await world.remove();
  });

  const sh = (script: string): Promise<ChildEnd> => runChild(session, ['sh', '-c', script]);
  /** Runs a script that says by a file that it is ready for signals. */
  const ready = async (script: string) => {
    const ending = sh(`${script}; touch ready; while :; do sleep 0.05; done`);
    await until(() => existsSync(join(world.folder, 'ready')));
    return { ending };
  };

  for (const code of [0, 1, 3, 77, 255])
    it(`answers the exit code ${code}`, async () => {
      expect(await sh(`exit ${code}`)).to.deep.equal({
        exit: code,
        signal: null,
        interruptedBy: null,
        isStarted: true,
      });
    });

  for (const [signal, exit] of [
    ['KILL', 137],
    ['TERM', 143],
    ['INT', 130],
    ['HUP', 129],
    ['SEGV', 139],
  ] as const)
    it(`answers ${exit} for a child killed by SIG${signal}`, async () => {
      expect(await sh(`kill -${signal} $$`)).to.deep.equal({
        exit,
        signal: `SIG${signal}`,
        interruptedBy: null,
        isStarted: true,
      });
    });

  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    it(`hands ${signal} on and answers how the child ended`, async () => {
      const { ending } = await ready(':');
      world.interrupt(signal);
      expect(await ending).to.deep.equal({ exit, signal, interruptedBy: signal, isStarted: true });
    });

  it('keeps the code of a child that ends in its own way when interrupted', async () => {
    const { ending } = await ready("trap 'exit 9' TERM");
    world.interrupt('SIGTERM');
    expect(await ending).to.deep.equal({ exit: 9, signal: null, interruptedBy: 'SIGTERM', isStarted: true });
  });

  it('kills a child that stays, at the second interrupt, but not when one interrupt arrives twice', async () => {
    const { ending } = await ready("trap '' TERM INT");
    world.interrupt('SIGINT');
    clock += 100;
    world.interrupt('SIGINT');
    expect(await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 300, 'alive'))])).to.equal('alive');
    clock += 1_000;
    world.interrupt('SIGTERM');
    expect(await ending).to.deep.equal({ exit: 137, signal: 'SIGKILL', interruptedBy: 'SIGINT', isStarted: true });
    expect(world.err()).to.contain('second interrupt');
  });

  it('gives interrupts back when the child ended', async () => {
    await sh('exit 0');
    world.interrupt('SIGTERM');
    expect(await session.ended.catch((error: { exit: number }) => error.exit)).to.equal(143);
  });

  it('answers 127 for a command that is not there and 126 for one that cannot be run, and says so', async () => {
    const notStarted = { signal: null, interruptedBy: null, isStarted: false };
    expect(await runChild(session, ['no-such-command-anywhere'])).to.deep.equal({ exit: 127, ...notStarted });
    expect(await runChild(session, ['./no/such/command'])).to.deep.equal({ exit: 127, ...notStarted });
    writeFileSync(join(world.folder, 'plain'), 'text');
    chmodSync(join(world.folder, 'plain'), 0o644);
    expect(await runChild(session, ['./plain'])).to.deep.equal({ exit: 126, ...notStarted });
    mkdirSync(join(world.folder, 'folder'));
    expect(await runChild(session, ['./folder'])).to.deep.equal({ exit: 126, ...notStarted });
    expect(world.err()).to.contain('ENOENT').and.contain('./plain could not be started: EACCES');
    expect(world.err()).to.contain('./folder could not be started: EACCES');
  });

  it('runs in the folder and environment of the world', async () => {
    const one = { ...session, world: { ...world, env: { ...world.env, MARK: 'one' } } };
    const { exit } = await runChild(one, ['sh', '-c', `test "$MARK" = one && test "$PWD" = "${world.folder}"`]);
    expect(exit).to.equal(0);
  });

  describe('and the API key', () => {
    const SHOW = 'printf "%s,%s,%s" "$SHIPWORTHY_API_KEY" "$SHIPWORTHY_API_KEY_FILE" "$SHIPWORTHY_APP" > shown';
    const shown = async (...flags: readonly string[]) => {
      const key = `swk_${'k'.repeat(36)}`;
      const env = {
        ...world.env,
        SHIPWORTHY_API_KEY: key,
        SHIPWORTHY_API_KEY_FILE: 'key.txt',
        SHIPWORTHY_APP: 'checkout',
      };
      const offline = { ...world, env, fetch: () => Promise.reject(new TypeError('fetch failed')) };
      const begin = { deploy: ['--env', 'e', '--commit', 'abcdef1'], tests: [] };
      const all: string[] = [];
      for (const [group, words] of Object.entries(begin)) {
        const argv = ['--api-url', 'http://127.0.0.1:9', '--timeout', '0.1', group, 'run', ...words, ...flags];
        await runIn(offline, ...argv, '--', 'sh', '-c', SHOW);
        all.push(readFileSync(join(world.folder, 'shown'), 'utf8').replace(key, 'KEY'));
      }
      return all;
    };

    it('keeps the key from what deploy run and tests run start', async () => {
      expect(await shown()).to.deep.equal([',,checkout', ',,checkout']);
    });

    it('hands the key on where that is said', async () => {
      expect(await shown('--pass-key')).to.deep.equal(['KEY,key.txt,checkout', 'KEY,key.txt,checkout']);
    });

    it('says to a command of ours that is started so why it has no key', async () => {
      const inside = { ...session, world: { ...world, env: { ...world.env, SHIPWORTHY_API_KEY: 'swk_x' } } };
      await runChild(inside, ['sh', '-c', 'env > seen']);
      const lines = readFileSync(join(world.folder, 'seen'), 'utf8').trimEnd().split('\n');
      const env = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
      const { exit, err } = await runIn({ ...world, env }, 'whoami', '--api-url', 'http://127.0.0.1:9');
      expect(exit).to.equal(4);
      expect(err).to.contain('No API key is set.').and.contain('--pass-key');
    });
  });

  it('hands arguments on as they are', async () => {
    const hard = [
      'two words',
      '',
      '"',
      "'",
      '\\',
      'a\\"b',
      '%PATH%',
      '$PATH',
      '`id`',
      'a\nb\r\nc',
      '*',
      '&',
      '|',
      '^',
      '--',
      'ü',
    ];
    const script = 'require("node:fs").writeFileSync("taken.json", JSON.stringify(process.argv.slice(1)))';
    await runChild(session, [process.execPath, '-e', script, '--', ...hard]);
    expect(JSON.parse(readFileSync(join(world.folder, 'taken.json'), 'utf8'))).to.deep.equal(hard);
  });

  it('refuses an empty command', async () => {
    expect(await runChild(session, ['']).catch((error: { exit: number }) => error.exit)).to.equal(2);
  });
});

// Not Windows itself: Node says that the platform is win32, and a script that shows its words takes the place of cmd.exe.
describe('shipworthy on Windows, as far as it can be seen elsewhere', () => {
  let world: StandIn;
  let bin: string;
  beforeEach(async () => {
    world = await standIn();
    bin = join(world.folder, 'bin');
    mkdirSync(bin);
    const script = '#!/bin/sh\nprintf "<%s>" "$@"\ncase "$4" in *no-such*) exit 1 ;; esac\nexit 7\n';
    writeFileSync(join(bin, 'interpreter'), script, { mode: 0o755 });
    writeFileSync(join(bin, 'roll-out.CMD'), '@echo off\r\n');
  });
  afterEach(() => world.remove());

  const deploy = (...command: readonly string[]) => {
    const NODE_OPTIONS = "--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})";
    const env = { NODE_OPTIONS, PATH: bin, PATHEXT: '.EXE;.CMD', comspec: join(bin, 'interpreter') };
    const commit = '9fceb02d0ae598e95dc970b74767f19372d61af8';
    const argv = ['deploy', 'run', '--app', 'a', '--env', 'e', '--commit', commit, '--', ...command];
    return startShipworthy(world.folder, env, ...argv).ended;
  };

  it('starts a .cmd by its bare name through the interpreter, each argument guarded against it', async () => {
    const { exit, out } = await deploy('roll-out', 'two words', '%PATH%', 'a"b', 'x&y');
    expect(exit).to.equal(7);
    const line = '"roll-out ^"two^ words^" ^"^%PATH^%^" ^"a\\^"b^" ^"x^&y^""';
    expect(out).to.equal(`</d></s></c><${line}>`);
  });

  it('answers 127 for a command that is not there, which the interpreter answers with 1', async () => {
    const { exit, err } = await deploy('no-such-command');
    expect(exit).to.equal(127);
    expect(err).to.contain('no-such-command could not be started: ENOENT');
  });
});
