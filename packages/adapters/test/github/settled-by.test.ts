import { expect } from 'chai';
import { settledBy } from '../../src/github/settled-by.js';
import { turnedMachine } from '../clock/turned-machine.js';
import { failureOf } from './scene.js';

describe('work with a deadline', () => {
  const deaf = () => new Promise<never>(() => {});

  it('is settled by then even when it listens to nothing', async () => {
    const machine = turnedMachine();
    let failure: unknown;
    void failureOf(settledBy(1_050, () => 1_000, deaf, machine.runTime)).then((found) => {
      failure = found;
    });
    await machine.run(25);
    await machine.holdUp(60_000);
    expect(failure, 'while the process was held up').to.equal(undefined);
    await machine.run(50);
    expect(failure).to.include({ code: 'host-unavailable', cause: 'timeout' });
  });

  it('is not begun when it is too late', async () => {
    let begun = false;
    const work = async () => {
      begun = true;
    };
    expect(await failureOf(settledBy(1_000, () => 1_000, work))).to.include({ cause: 'timeout' });
    expect(begun).to.equal(false);
  });

  it('gives what it gives, or throws what it throws, however far the deadline is', async () => {
    expect(
      await settledBy(
        Number.MAX_SAFE_INTEGER,
        () => 0,
        async () => 7,
      ),
    ).to.equal(7);
    const broken = async () => {
      throw new RangeError('broken');
    };
    expect(await settledBy(1_000, () => 0, broken).catch((error: unknown) => error)).to.be.instanceOf(RangeError);
  });
});
