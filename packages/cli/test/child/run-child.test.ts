import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ChildEnd, runChild } from '../../src/child/run-child.js';
import { openSession, type Session } from '../../src/session.js';
import { type StandIn, standIn } from '../stand-in.js';

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('runChild', () => {
  let world: StandIn;
  let session: Session;
  let clock = 0;
  beforeEach(async () => {
    clock = 0;
    world = await standIn({ now: () => clock });
    session = openSession(world, 'test', { timeout: 1, color: false });
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
      expect(await sh(`exit ${code}`)).to.deep.equal({ exit: code, signal: null, interruptedBy: null });
    });

  for (const [signal, exit] of [
    ['KILL', 137],
    ['TERM', 143],
    ['INT', 130],
    ['HUP', 129],
    ['SEGV', 139],
  ] as const)
    it(`answers ${exit} for a child killed by SIG${signal}`, async () => {
      expect(await sh(`kill -${signal} $$`)).to.deep.equal({ exit, signal: `SIG${signal}`, interruptedBy: null });
    });

  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    it(`hands ${signal} on and answers how the child ended`, async () => {
      const { ending } = await ready(':');
      world.interrupt(signal);
      expect(await ending).to.deep.equal({ exit, signal, interruptedBy: signal });
    });

  it('keeps the code of a child that ends in its own way when interrupted', async () => {
    const { ending } = await ready("trap 'exit 9' TERM");
    world.interrupt('SIGTERM');
    expect(await ending).to.deep.equal({ exit: 9, signal: null, interruptedBy: 'SIGTERM' });
  });

  it('kills a child that stays, at the second interrupt, but not when one interrupt arrives twice', async () => {
    const { ending } = await ready("trap '' TERM INT");
    world.interrupt('SIGINT');
    clock += 100;
    world.interrupt('SIGINT');
    expect(await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 300, 'alive'))])).to.equal('alive');
    clock += 1_000;
    world.interrupt('SIGTERM');
    expect(await ending).to.deep.equal({ exit: 137, signal: 'SIGKILL', interruptedBy: 'SIGINT' });
    expect(world.err()).to.contain('second interrupt');
  });

  it('gives interrupts back when the child ended', async () => {
    await sh('exit 0');
    world.interrupt('SIGTERM');
    expect(await session.ended.catch((error: { exit: number }) => error.exit)).to.equal(143);
  });

  it('answers 127 for a command that is not there and 126 for one that cannot be run, and says so', async () => {
    expect((await runChild(session, ['no-such-command-anywhere'])).exit).to.equal(127);
    writeFileSync(join(world.folder, 'plain'), 'text');
    chmodSync(join(world.folder, 'plain'), 0o644);
    expect((await runChild(session, ['./plain'])).exit).to.equal(126);
    expect(world.err()).to.contain('ENOENT').and.contain('EACCES');
  });

  it('runs in the folder and environment of the world, or in a given environment', async () => {
    const one = { ...session, world: { ...world, env: { ...world.env, MARK: 'one' } } };
    expect((await runChild(one, ['sh', '-c', `test "$MARK" = one && test "$PWD" = "${world.folder}"`])).exit).to.equal(
      0,
    );
    const env = { PATH: process.env.PATH, MARK: 'two' };
    expect((await runChild(one, ['sh', '-c', 'test "$MARK" = two'], { env })).exit).to.equal(0);
  });

  it('tells when the child runs, and never for one that could not be started', async () => {
    const pids: number[] = [];
    const onStart = (pid: number) => pids.push(pid);
    await runChild(session, ['true'], { onStart });
    await runChild(session, ['no-such-command-anywhere'], { onStart });
    expect(pids).to.have.length(1);
    expect(pids[0]).to.be.greaterThan(0);
  });

  it('refuses an empty command', async () => {
    expect(await runChild(session, ['']).catch((error: { exit: number }) => error.exit)).to.equal(2);
  });
});
