import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { createBatchReader } from '../../src/http/batch.js';
import { Problem } from '../../src/http/problem.js';
import { checkOf } from '../../src/http/validation.js';

const GOOD = { total: 3, passed: 3, failed: 0 };

describe('createBatchReader', () => {
  const { body } = operations.importTestRuns;
  const read = createBatchReader(body, checkOf(body.items));
  const json = (value: unknown) => read(Buffer.from(JSON.stringify(value)), 'json');
  const lines = (...texts: string[]) => read(Buffer.from(texts.join('\n')), 'ndjson');

  it('checks each record by itself', () => {
    const [first, second, third] = json([GOOD, { ...GOOD, total: '3' }, 7]);
    expect(first).to.deep.equal({ value: GOOD });
    expect(second?.faults?.map(({ pointer }) => pointer)).to.deep.equal(['/total']);
    expect(third?.faults?.map(({ code }) => code)).to.deep.equal(['type']);
  });

  it('reads one record per line, and a broken line spoils no other', () => {
    const items = lines(JSON.stringify(GOOD), '', '{"total":', `${JSON.stringify(GOOD)}\r`, '{"total":1,"total":2}');
    expect(items.map((item) => item.faults?.[0]?.code ?? 'good')).to.deep.equal([
      'good',
      'malformed-json',
      'good',
      'malformed-json',
    ]);
  });

  it('refuses as a whole what is no list, is empty or too long', () => {
    expect(() => json({ data: [] })).to.throw(Problem, /must be a list/);
    expect(() => json([])).to.throw(Problem, /1 or more/);
    expect(() => lines('', ' ')).to.throw(Problem, /1 or more/);
    expect(() => json(Array.from({ length: 1001 }, () => GOOD))).to.throw(Problem, /1000 or fewer/);
    expect(() => read(Buffer.from('[{]'), 'json')).to.throw(Problem, /well-formed/);
    expect(json(Array.from({ length: 1000 }, () => GOOD))).to.have.length(1000);
  });
});
