import type { Schema } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { Problem } from '../../src/http/problem.js';
import { createQueryReader } from '../../src/http/query.js';
import { checkOf } from '../../src/http/validation.js';

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 200 },
    share: { type: 'number' },
    open: { type: 'boolean' },
    name: { type: 'string', minLength: 1, format: 'text' },
    kinds: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
};

describe('createQueryReader', () => {
  const read = createQueryReader(SCHEMA, checkOf(SCHEMA));
  const faults = (query: string) => read(query).faults.map(({ pointer, code }) => `${pointer} ${code}`);

  it('reads values by the type of their property', () => {
    const { value, faults: none } = read('limit=20&share=0.5&open=true&name=a+b%26c&kinds=x&kinds=y');
    expect(none).to.deep.equal([]);
    expect({ ...(value as object) }).to.deep.equal({
      limit: 20,
      share: 0.5,
      open: true,
      name: 'a b&c',
      kinds: ['x', 'y'],
    });
    expect(read('')).to.deep.equal({ value: {}, faults: [] });
  });

  it('names parameters that are unknown, given twice or of another type', () => {
    expect(faults('limits=1')).to.deep.equal(['limits unknown']);
    expect(faults('limit=1&limit=2')).to.deep.equal(['limit twice']);
    for (const limit of ['1.0', '1e3', '0x1', '', ' 1', 'NaN', '99999999999999999999'])
      expect(faults(`limit=${limit}`), limit).to.deep.equal(['limit type']);
    expect(faults('limit=0')).to.deep.equal(['limit minimum']);
    expect(faults('open=yes&name=')).to.deep.equal(['open type', 'name minLength']);
    expect(faults('__proto__=1&constructor=2')).to.have.members(['__proto__ unknown', 'constructor unknown']);
  });

  it('refuses what is no well-formed query', () => {
    for (const query of ['name=%', 'name=%ff', '%zz=1']) expect(() => read(query), query).to.throw(Problem, /percent/);
    expect(faults('name=%00')).to.deep.equal(['name format']);
  });
});
