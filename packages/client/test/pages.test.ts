import { expect } from 'chai';
import { rowsOf } from '../src/pages.js';
import type { RawInput } from '../src/request.js';

type Page = { readonly data: readonly number[]; readonly next_cursor: string | null };

const listOf = (pages: Readonly<Record<string, Page>>) => {
  const asked: RawInput[] = [];
  const call = async (input: RawInput) => {
    asked.push(input);
    return { body: pages[String(input.query?.cursor ?? 'first')] };
  };
  return { asked, call };
};

const take = async (rows: AsyncIterable<unknown>): Promise<readonly unknown[]> => {
  const taken: unknown[] = [];
  for await (const row of rows) taken.push(row);
  return taken;
};

describe('rowsOf', () => {
  it('takes all rows in order, over empty pages too, keeping the rest of the input', async () => {
    const { asked, call } = listOf({
      first: { data: [1, 2], next_cursor: 'b' },
      b: { data: [], next_cursor: 'c' },
      c: { data: [3], next_cursor: null },
    });
    const input = { path: { team_id: 't' }, query: { limit: 2 } };
    expect(await take(rowsOf(call, input))).to.deep.equal([1, 2, 3]);
    expect(asked).to.deep.equal([
      input,
      { ...input, query: { limit: 2, cursor: 'b' } },
      { ...input, query: { limit: 2, cursor: 'c' } },
    ]);
  });

  it('asks for no page before its rows are wanted', async () => {
    const { asked, call } = listOf({ first: { data: [1, 2], next_cursor: 'b' } });
    for await (const row of rowsOf(call, {})) if (row === 2) break;
    expect(asked).to.have.length(1);
  });

  it('starts where the caller says and does not run in a circle', async () => {
    const { call } = listOf({ b: { data: [1], next_cursor: 'b' } });
    const rows = rowsOf(call, { query: { cursor: 'b' } });
    expect(await rows.next()).to.deep.equal({ value: 1, done: false });
    const error = await rows.next().catch((reason: unknown) => reason);
    expect(error).to.have.property('message').that.includes('same page');
  });
});
