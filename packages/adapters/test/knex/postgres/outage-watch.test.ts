import { expect } from 'chai';
import { PATIENCE_MS, type Probe, SilenceWatch } from '../../../src/knex/postgres/outage-watch.js';
import { turnedMachine } from '../../clock/turned-machine.js';

/** Until a server was asked and what was found is acted upon. */
const ONE_LOOK_MS = PATIENCE_MS + 400;

/** A server as the watch sees it: which processes work, or that it cannot be reached. */
const server = (working: ReadonlySet<number> | null | 'away', stuck: ReadonlySet<number> = new Set()) => {
  const seen = { working, looks: 0, ended: [] as number[], canceled: [] as number[] };
  const probe: Probe = {
    look: async () => {
      seen.looks += 1;
      if (seen.working === 'away') throw new Error('away');
      return seen.working && { working: seen.working, stuck };
    },
    cancel: async (processes) => void seen.canceled.push(...processes),
    end: async (processes) => void seen.ended.push(...processes),
  };
  const machine = turnedMachine();
  return { seen, machine, watch: new SilenceWatch(probe, machine.runTime) };
};

/** A statement that is not answered by itself; whether its connection was given up, which fails it. */
const unanswered = (watch: SilenceWatch, process: number) => {
  let breakOff: (error: Error) => void = () => {};
  let arrive: () => void = () => {};
  const statement = { isGivenUp: false, failure: '', arrive: () => arrive() };
  const answer = new Promise<void>((resolve, reject) => {
    breakOff = reject;
    arrive = resolve;
  });
  const giveUp = (): void => {
    statement.isGivenUp = true;
    breakOff(new Error('broken'));
  };
  watch.watched(answer, process, giveUp).catch((error: Error) => {
    statement.failure = error.message;
  });
  return statement;
};

describe('the watch for a silent server', () => {
  it('gives up what waits when the server cannot be reached, and everything later at once, until it can', async () => {
    const { seen, machine, watch } = server('away');
    const [one, other] = [unanswered(watch, 1), unanswered(watch, 2)];
    await machine.run(PATIENCE_MS - 25);
    expect([seen.looks, watch.isLost]).to.deep.equal([0, false]);
    await machine.run(50);
    expect([watch.isLost, one.failure, other.failure]).to.deep.equal([true, 'broken', 'broken']);
    expect(unanswered(watch, 3).isGivenUp).to.equal(true);
    await machine.run(10_000);
    expect(watch.isLost).to.equal(true);
    seen.working = new Set();
    await machine.run(400);
    expect(watch.isLost).to.equal(false);
    watch.end();
  });

  it('asks about no answer for the time in which this process was held up', async () => {
    const { seen, machine, watch } = server('away');
    const late = unanswered(watch, 1);
    await machine.run(PATIENCE_MS - 100);
    await machine.holdUp(60_000);
    expect([seen.looks, late.isGivenUp]).to.deep.equal([0, false]);
    late.arrive();
    await machine.run(10_000);
    expect([seen.looks, watch.isLost, machine.ticks]).to.deep.equal([0, false, false]);
    watch.end();
  });

  it('leaves a connection whose process does not work, with all that are late, and trusts none made before', async () => {
    const { seen, machine, watch } = server(new Set([2]));
    const madeAt = performance.now();
    const late = [unanswered(watch, 2), unanswered(watch, 1)];
    expect(watch.trusts(madeAt)).to.equal(true);
    await machine.run(ONE_LOOK_MS);
    expect(seen.ended).to.deep.equal([2, 1]);
    expect(late.map(({ isGivenUp }) => isGivenUp)).to.deep.equal([true, true]);
    expect([watch.trusts(madeAt), watch.trusts(performance.now() + 1)]).to.deep.equal([false, true]);
    expect(watch.isLost).to.equal(false);
    watch.end();
  });

  it('leaves no connection whose answer came while the server was asked', async () => {
    const { seen, machine, watch } = server(new Set());
    const slow = unanswered(watch, 1);
    await machine.run(PATIENCE_MS + 25);
    expect(seen.looks).to.equal(1);
    slow.arrive();
    await machine.run(ONE_LOOK_MS);
    expect([seen.ended, slow.isGivenUp]).to.deep.equal([[], false]);
    watch.end();
  });

  it('ends a statement that waits for a foreign lock, and leaves one that waits for its turn', async () => {
    const { seen, machine, watch } = server(new Set([1, 2]), new Set([2]));
    const statements = [unanswered(watch, 1), unanswered(watch, 2)];
    await machine.run(ONE_LOOK_MS);
    expect(seen.canceled).to.deep.equal([2]);
    expect(statements.map(({ isGivenUp }) => isGivenUp)).to.deep.equal([false, false]);
    expect([seen.ended, watch.isLost]).to.deep.equal([[], false]);
    watch.end();
  });

  it('leaves a statement alone where processes cannot be told apart, and looks again', async () => {
    const { seen, machine, watch } = server(null);
    const slow = unanswered(watch, 1);
    await machine.run(3 * ONE_LOOK_MS);
    expect(seen.looks).to.be.above(1);
    expect([slow.isGivenUp, watch.isLost]).to.deep.equal([false, false]);
    watch.end();
  });

  it('does not ask while answers come', async () => {
    const { seen, machine, watch } = server('away');
    for (let times = 0; times < 10; times += 1) {
      const answered = unanswered(watch, 1);
      await machine.run(PATIENCE_MS - 50);
      answered.arrive();
    }
    await machine.run(1000);
    expect(seen.looks).to.equal(0);
    watch.end();
  });

  it('takes a connection that could not be made for a sign only if nothing was heard since it was begun', async () => {
    const { watch } = server('away');
    const begunAt = performance.now();
    await watch.watched(Promise.resolve(), 1, () => {});
    watch.suspect(begunAt);
    expect(watch.isLost).to.equal(false);
    watch.suspect(performance.now() + 1);
    expect(watch.isLost).to.equal(true);
    watch.end();
  });
});
