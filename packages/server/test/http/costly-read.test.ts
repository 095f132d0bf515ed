import { expect } from 'chai';
import { createSlices, MOST_WORK_MS, SLICE_MS, turnOfLoop } from '../../src/http/costly-read.js';
import { Problem } from '../../src/http/problem.js';

const scene = () => {
  let now = 0;
  let turns = 0;
  const gone = new AbortController();
  const turn = async () => {
    turns += 1;
    // Other requests work for a second, which does not count for this one.
    now += 1000;
  };
  const slices = createSlices({ signal: gone.signal, monotonic: () => now, turn });
  const work = (milliseconds: number) => {
    now += milliseconds;
    return milliseconds;
  };
  return { slices, gone, work, turns: () => turns };
};
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('It went on.'),
    (error: unknown) => error,
  );

describe('createSlices', () => {
  it('answers the results in order, and lets others have the thread after each slice', async () => {
    const { slices, work, turns } = scene();
    expect(await slices.map([1, 2, 3], (item, place) => item * 10 + place)).to.deep.equal([10, 21, 32]);
    expect(turns()).to.equal(0);
    await slices.map(Array(10).fill(SLICE_MS / 2), work);
    expect(turns()).to.equal(5);
  });

  it('lets others have the thread between many short lists, too', async () => {
    const { slices, work, turns } = scene();
    for (let list = 0; list < 10; list += 1) await slices.map([SLICE_MS / 2], work);
    expect(turns()).to.equal(5);
  });

  it('ends with ten seconds of work in all, over all that a request does', async () => {
    const { slices, work } = scene();
    const half = Array(MOST_WORK_MS / SLICE_MS / 2).fill(SLICE_MS);
    await slices.map(half, work);
    await slices.map(half, work);
    expect(await refusal(slices.map([1], work)))
      .to.be.instanceOf(Problem)
      .with.property('type', 'unavailable');
  });

  it('ends with the reason of the signal between two slices', async () => {
    const { slices, gone, work } = scene();
    const reason = new Error('gone');
    const done: number[] = [];
    const stop = (item: number) => {
      done.push(work(item));
      if (done.length === 2) gone.abort(reason);
    };
    expect(await refusal(slices.map(Array(5).fill(SLICE_MS), stop))).to.equal(reason);
    expect(done).to.have.length(2);
  });
});

describe('turnOfLoop', () => {
  it('lets one of many go on in each turn of the event loop, in the order in which they came', async () => {
    let turn = 0;
    let isCounting = true;
    const count = (): void => {
      turn += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    const wentOn: [name: string, turn: number][] = [];
    const read = async (name: string): Promise<void> => {
      for (let slice = 0; slice < 3; slice += 1) {
        await turnOfLoop();
        wentOn.push([name, turn]);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(read));
    isCounting = false;
    expect(wentOn.map(([name]) => name).join('')).to.equal('abcabcabc');
    expect(new Set(wentOn.map(([, at]) => at)).size, 'turns').to.equal(9);
  });
});
