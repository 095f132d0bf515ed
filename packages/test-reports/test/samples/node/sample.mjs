import assert from 'node:assert';
import { before, describe, it } from 'node:test';

describe('basket', () => {
  it('adds up', () => assert.equal(1 + 1, 2));
  it('grüßt 世界 🚀 "<&>" # 1', () => assert.ok(true));
  it('fails\nin two lines', () => assert.equal(1, 2, 'first\nok 1 - not a test point\nsecond'));
  it.skip('is left out', () => assert.fail());
  it.todo('is to be written');
  it.todo('is to be mended', () => assert.fail());
  describe('inner', () => {
    for (const value of [1, 2]) it('has the name of another', () => assert.equal(value, 2));
  });
  describe('empty', () => undefined);
});

describe('shop without stock', () => {
  before(() => {
    throw new Error('the stock cannot be read');
  });
  it('never runs', () => assert.ok(true));
});

it('stands alone', async (t) => {
  await t.test('with a step', () => assert.ok(true));
});
