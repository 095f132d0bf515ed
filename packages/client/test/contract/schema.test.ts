import { expect } from 'chai';
import { envelope, list, record } from '../../src/contract/schema.js';

const text = { type: 'string' } as const;

describe('record', () => {
  it('requires every member that is not optional and refuses unknown ones', () => {
    const schema = record({ title: 'Pair', properties: { a: text, b: text, c: text }, optional: ['b'] });
    expect(schema).to.deep.equal({
      type: 'object',
      title: 'Pair',
      properties: { a: text, b: text, c: text },
      required: ['a', 'c'],
      additionalProperties: false,
    });
  });

  it('requires all without `optional`', () => {
    expect(record({ properties: { a: text, b: text } }).required).to.deep.equal(['a', 'b']);
  });

  it('wraps one resource and a list', () => {
    expect(envelope(text).properties.data).to.equal(text);
    expect(list(text).properties.data).to.deep.equal({ type: 'array', items: text });
  });
});
