import { groupCommit } from '@shipworthy/adapters/group-commit';
import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { turnedMachine } from '../clock/turned-machine.js';
import { expectRefused } from '../contract/expectations.js';
import { heldBatches, settle } from './held-batches.js';

const double = async (items: readonly number[]) => items.map((item) => 2 * item);

describe('groupCommit', () => {
  it('answers each item with its own result, in batches of what came together', async () => {
    const sizes: number[] = [];
    const { submit } = groupCommit((items: readonly number[]) => {
      sizes.push(items.length);
      return double(items);
    });
    expect(await Promise.all([1, 2, 3].map(submit))).to.deep.equal([2, 4, 6]);
    expect(await submit(4)).to.equal(8);
    expect(sizes).to.deep.equal([3, 1]);
  });

  it('lets what arrives while a batch is under way wait for the next, in order', async () => {
    const held = heldBatches<number, number>();
    const { submit } = groupCommit(held.batch);
    const first = submit(1);
    await settle();
    const rest = [2, 3, 4].map(submit);
    await settle();
    expect(held.seen).to.deep.equal([[1]]);
    held.open[0]?.answer([10]);
    expect(await first).to.equal(10);
    await settle();
    expect(held.seen).to.deep.equal([[1], [2, 3, 4]]);
    held.open[1]?.answer([20, 30, 40]);
    expect(await Promise.all(rest)).to.deep.equal([20, 30, 40]);
  });

  it('keeps to the most items per batch and the lanes', async () => {
    const held = heldBatches<number, number>();
    const { submit } = groupCommit(held.batch, { maxItems: 2, lanes: 2 });
    for (const item of [1, 2, 3, 4, 5]) void submit(item);
    await settle();
    expect(held.seen).to.deep.equal([
      [1, 2],
      [3, 4],
    ]);
    held.open[1]?.answer([0, 0]);
    await settle();
    expect(held.seen).to.deep.equal([[1, 2], [3, 4], [5]]);
  });

  it('rejects the items of a batch that threw, at once or later, and goes on', async () => {
    const failure = new Error('broken');
    for (const broken of [() => Promise.reject(failure), () => expect.fail('unreachable')]) {
      let first = true;
      const { submit } = groupCommit((items: readonly number[]) => {
        if (!first) return double(items);
        first = false;
        return broken();
      });
      const outcomes = await Promise.allSettled([submit(1), submit(2)]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      expect(await submit(3)).to.equal(6);
    }
  });

  it('keeps nobody waiting behind a batch that found after long that nothing is to be had', async () => {
    const held = heldBatches<number, number>();
    const machine = turnedMachine();
    const { submit } = groupCommit(held.batch, { runTime: machine.runTime });
    const first = submit(1);
    await settle();
    const behind = submit(2);
    await machine.run(1050);
    held.open[0]?.fail(new DomainError('unavailable', 'away'));
    await expectRefused(first, 'unavailable');
    await expectRefused(behind, 'unavailable');
    expect(held.seen).to.deep.equal([[1]]);
  });

  it('tries what waits behind a batch that failed when this process was held up', async () => {
    const held = heldBatches<number, number>();
    const machine = turnedMachine();
    const { submit } = groupCommit(held.batch, { runTime: machine.runTime });
    const first = submit(1);
    await settle();
    const behind = submit(2);
    await machine.holdUp(60_000);
    held.open[0]?.fail(new DomainError('unavailable', 'away'));
    await expectRefused(first, 'unavailable');
    await settle();
    held.open[1]?.answer([4]);
    expect(await behind).to.equal(4);
  });

  it('rejects the items of a batch that answered too few or too many', async () => {
    for (const results of [[], [1], [1, 2, 3]]) {
      const { submit } = groupCommit(async (_: readonly number[]) => results);
      const outcomes = await Promise.allSettled([submit(1), submit(2)]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    }
  });

  it('refuses what is over the bound, and takes more when there is room again', async () => {
    const held = heldBatches<number, number>();
    const { submit } = groupCommit(held.batch, { maxWaiting: 2 });
    const taken = [submit(1), submit(2)];
    await expectRefused(submit(3), 'unavailable');
    await settle();
    const next = [submit(4), submit(5)];
    await expectRefused(submit(6), 'unavailable');
    held.open[0]?.answer([1, 2]);
    await Promise.all(taken);
    await settle();
    held.open[1]?.answer([4, 5]);
    expect(await Promise.all(next)).to.deep.equal([4, 5]);
    expect(held.seen).to.deep.equal([
      [1, 2],
      [4, 5],
    ]);
  });

  it('is drained when all is answered, also what came while it drained', async () => {
    const held = heldBatches<number, number>();
    const { submit, drain } = groupCommit(held.batch);
    await drain();
    let drained = false;
    void submit(1).catch(() => undefined);
    const over = drain().then(() => {
      drained = true;
    });
    await settle();
    void submit(2);
    held.open[0]?.fail(new Error('broken'));
    await settle();
    expect(drained).to.equal(false);
    held.open[1]?.answer([2]);
    await over;
    expect(held.seen).to.deep.equal([[1], [2]]);
  });

  it('refuses options that make no sense', () => {
    for (const wrong of [{ maxItems: 0 }, { lanes: 0.5 }, { maxWaiting: Number.NaN }]) {
      expect(() => groupCommit(double, wrong)).to.throw(RangeError);
    }
  });

  it('loses nothing and answers nothing twice, whatever happens in whatever order', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ step: fc.constant('submit' as const), count: fc.integer({ min: 1, max: 7 }) }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ step: fc.constantFrom('answer' as const, 'fail' as const), which: fc.nat(2) }),
      },
      { weight: 2, arbitrary: fc.record({ step: fc.constant('settle' as const) }) },
    );
    const options = fc.record({ maxItems: fc.integer({ min: 1, max: 5 }), lanes: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), options, async (script, chosen) => {
        const held = heldBatches<number, number>();
        const maxWaiting = 20;
        const { submit, drain } = groupCommit(held.batch, { ...chosen, maxWaiting });
        const answers = new Map<number, string[]>();
        const failed = new Set<number>();
        let last = 0;
        const send = (): void => {
          last += 1;
          const item = last;
          const mine: string[] = [];
          answers.set(item, mine);
          submit(item).then(
            (result) => mine.push(`answered ${result}`),
            (error: unknown) => mine.push(String(error)),
          );
        };
        const close = (which: number, fail: boolean): void => {
          const [call] = held.open.splice(which % Math.max(held.open.length, 1), 1);
          if (call === undefined) return;
          if (fail) {
            for (const item of call.items) failed.add(item);
            call.fail('failed');
          } else call.answer(call.items.map((item) => item * 10));
        };
        for (const each of script) {
          if (each.step === 'submit') for (let sent = 0; sent < each.count; sent += 1) send();
          else if (each.step === 'settle') await settle();
          else close(each.which, each.step === 'fail');
          expect(held.open.length).to.be.at.most(chosen.lanes);
        }
        const over = drain();
        for (let round = 0; round <= last + 1; round += 1) {
          await settle();
          while (held.open.length > 0) close(0, false);
        }
        await over;
        const taken = held.seen.flat();
        expect(taken).to.deep.equal(taken.toSorted((a, b) => a - b));
        expect(new Set(taken).size).to.equal(taken.length);
        for (const items of held.seen) expect(items.length).to.be.within(1, chosen.maxItems);
        for (const [item, mine] of answers) {
          const refused = !taken.includes(item);
          const answered = failed.has(item) ? 'failed' : `answered ${item * 10}`;
          expect(mine).to.deep.equal([
            refused ? 'DomainError: Too much is waiting to be stored; try again.' : answered,
          ]);
        }
      }),
      { numRuns: 100 },
    );
  });
});
