import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import {
  batchesOf,
  type NumberedRecord,
  Refusals,
  type RowTally,
  type SendBatch,
  sendBatches,
} from '../../src/import/send-batches.js';

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

/** One batch for each list of names. */
async function* batches(...lists: readonly (readonly string[])[]): AsyncGenerator<readonly NumberedRecord[]> {
  let line = 0;
  for (const names of lists)
    yield names.map((external_id) => {
      line += 1;
      return { line, record: { external_id } };
    });
}

/** A server that answers when it is told to; a record whose name begins with bad is refused. */
const server = () => {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const failures: (() => void)[] = [];
  const send: SendBatch = (records) => {
    asked.push(records.map(({ external_id }) => String(external_id)));
    return new Promise((resolve, reject) => {
      failures.push(() => reject(new Error('gone')));
      answers.push(() =>
        resolve(
          records.map(({ external_id }, index) =>
            String(external_id).startsWith('bad')
              ? {
                  index,
                  result: 'refused',
                  problem: { type: 'x', title: 'Refused', status: 422, detail: 'bad', instance: '/', request_id: 'r' },
                }
              : { index, result: 'created', id: ID },
          ),
        ),
      );
    });
  };
  return { asked, answers, failures, send };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const begin = async (host: ReturnType<typeof server>, from: AsyncIterable<readonly NumberedRecord[]>) => {
  const tally: RowTally = { created: 0, duplicates: 0 };
  const refusals = await Refusals.open(undefined, (text) => text);
  const ended = sendBatches(from, host.send, tally, refusals, () => undefined);
  ended.catch(() => undefined);
  await settled();
  return { tally, refusals, ended };
};

describe('sending batches', () => {
  it('has three on their way at once, and the next when one is answered', async () => {
    const host = server();
    const { tally, ended } = await begin(host, batches(['a'], ['b'], ['c'], ['d'], ['e']));
    expect(host.asked).to.deep.equal([['a'], ['b'], ['c']]);
    host.answers[0]?.();
    await settled();
    expect(host.asked).to.deep.equal([['a'], ['b'], ['c'], ['d']]);
    for (const at of [1, 2, 3]) host.answers[at]?.();
    await settled();
    host.answers[4]?.();
    await ended;
    expect(tally).to.deep.equal({ created: 5, duplicates: 0 });
  });

  it('sends a row after the one of the same name before it was answered', async () => {
    const host = server();
    const { ended } = await begin(host, batches(['a', 'b'], ['c', 'a'], ['d']));
    expect(host.asked).to.deep.equal([['a', 'b']]);
    host.answers[0]?.();
    await settled();
    expect(host.asked).to.deep.equal([['a', 'b'], ['c', 'a'], ['d']]);
    for (const at of [1, 2]) host.answers[at]?.();
    await ended;
  });

  it('tells refusals in the order of the rows, even if a later batch is answered first', async () => {
    const host = server();
    const { refusals, tally, ended } = await begin(host, batches(['bad'], ['b', 'bad too']));
    host.answers[1]?.();
    await settled();
    expect(refusals.count).to.equal(0);
    host.answers[0]?.();
    await ended;
    expect(refusals.first.map(({ line }) => line)).to.deep.equal([1, 3]);
    expect(tally.created).to.equal(1);
  });

  it('rejects with what ended it once the others are answered, and counts those', async () => {
    const host = server();
    const { tally, ended } = await begin(host, batches(['a'], ['b'], ['c'], ['d']));
    host.failures[0]?.();
    await settled();
    expect(host.asked).to.have.length(3);
    for (const at of [1, 2]) host.answers[at]?.();
    const failure = await ended.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.an('error').with.property('message', 'gone');
    expect(tally.created).to.equal(2);
  });
});

const numbered = (count: number, text = ''): readonly NumberedRecord[] =>
  Array.from({ length: count }, (_, line) => ({ line, record: { text } }));
const sizes = async (records: readonly NumberedRecord[], most?: number, mostBytes?: number) => {
  const found: number[] = [];
  for await (const batch of batchesOf(Readable.from([records.slice(0, 7), [], records.slice(7)]), most, mostBytes)) {
    expect(Buffer.byteLength(JSON.stringify(batch.map(({ record }) => record)))).to.be.at.most(mostBytes ?? 2_097_152);
    found.push(batch.length);
  }
  return found;
};

describe('batchesOf', () => {
  it('groups by 1,000', async () => {
    expect(await sizes(numbered(2500))).to.deep.equal([1000, 1000, 500]);
    expect(await sizes(numbered(1000))).to.deep.equal([1000]);
    expect(await sizes([])).to.deep.equal([]);
  });

  it('groups by 2 MiB of bytes, not of characters', async () => {
    // Of 4,012 bytes each, with frame and comma, 522 fit into 2,097,152.
    expect(await sizes(numbered(600, 'ü'.repeat(2000)))).to.deep.equal([522, 78]);
    expect(await sizes(numbered(3, 'x'), 10, 2 + 13 * 2)).to.deep.equal([2, 1]);
  });
});

/** Refuses every write, as a full disk does; only Linux has it. */
const FULL_DISK = '/dev/full';

if (existsSync(FULL_DISK))
  describe('Refusals', () => {
    it('fail with a reason once their file can no longer be written, and still count', async () => {
      const refusals = await Refusals.open(FULL_DISK, (text) => text);
      const refusal = { line: 1, reasons: ['wrong'], record: null };
      await refusals.add(refusal);
      for (const attempt of [() => refusals.close(), () => refusals.add(refusal), () => refusals.close()]) {
        const error: unknown = await attempt().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error).to.include({ exit: 2 });
        expect(String(error)).to.contain('/dev/full cannot be written (ENOSPC)');
      }
      expect(refusals.count).to.equal(2);
    });
  });
