import { expect } from 'chai';
import { type Probe, SilenceWatch } from '../../src/knex/silence.js';

const TIMES = { patience: 20, tick: 5 };
const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await pause(1);
};

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
  return { seen, watch: new SilenceWatch(probe, TIMES) };
};

/** A statement that is never answered; whether its connection was given up, which fails it. */
const unanswered = (watch: SilenceWatch, process: number) => {
  const statement = { isGivenUp: false, failure: '' };
  let breakOff: (error: Error) => void = () => {};
  const answer = new Promise<never>((_, reject) => {
    breakOff = reject;
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
  it('gives up whatever waits when the server cannot be reached, and everything later at once, until it can', async () => {
    const { seen, watch } = server('away');
    const [one, other] = [unanswered(watch, 1), unanswered(watch, 2)];
    await until(() => watch.isLost);
    await until(() => one.failure === 'broken' && other.failure === 'broken');
    expect(unanswered(watch, 3).isGivenUp).to.equal(true);
    seen.working = new Set();
    await until(() => !watch.isLost);
    watch.end();
  });

  it('leaves a connection whose process does not work, with all that are late, and trusts none made before', async () => {
    const { seen, watch } = server(new Set([2]));
    const madeAt = performance.now();
    // The older one first: whenever the other is late, it is too.
    const late = [unanswered(watch, 2), unanswered(watch, 1)];
    expect(watch.trusts(madeAt)).to.equal(true);
    await until(() => seen.ended.length > 0);
    expect(seen.ended).to.deep.equal([2, 1]);
    expect(late.map(({ isGivenUp }) => isGivenUp)).to.deep.equal([true, true]);
    expect([watch.trusts(madeAt), watch.trusts(performance.now() + 1)]).to.deep.equal([false, true]);
    expect(watch.isLost).to.equal(false);
    watch.end();
  });

  it('ends a statement that waits for somebody else, and leaves one that waits for its turn', async () => {
    const { seen, watch } = server(new Set([1, 2]), new Set([2]));
    const statements = [unanswered(watch, 1), unanswered(watch, 2)];
    await until(() => seen.canceled.length > 0);
    expect(new Set(seen.canceled)).to.deep.equal(new Set([2]));
    expect(statements.map(({ isGivenUp }) => isGivenUp)).to.deep.equal([false, false]);
    expect([seen.ended, watch.isLost]).to.deep.equal([[], false]);
    watch.end();
  });

  it('leaves a statement alone where processes cannot be told apart, and looks again', async () => {
    const { seen, watch } = server(null);
    const slow = unanswered(watch, 1);
    await until(() => seen.looks > 1);
    expect([slow.isGivenUp, watch.isLost]).to.deep.equal([false, false]);
    watch.end();
  });

  it('does not ask while answers come', async () => {
    const { seen, watch } = server('away');
    for (let times = 0; times < 10; times += 1)
      expect(await watch.watched(Promise.resolve(times), 1, () => {})).to.equal(times);
    expect(seen.looks).to.equal(0);
    watch.end();
  });

  it('takes a connection that could not be made for a sign only if nothing was heard meanwhile', async () => {
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
