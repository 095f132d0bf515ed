import assert from 'node:assert';

describe('basket', () => {
  it('adds up', () => assert.equal(1 + 1, 2));
  it('grüßt 世界 🚀 "<&>"', () => assert.ok(true));
  it('fails', () => assert.equal(1, 2));
  it.skip('is left out', () => assert.fail());
  it('is to be written');
  describe('inner', () => {
    let tries = 0;
    it('passes at the second try', function () {
      this.retries(2);
      tries += 1;
      assert.equal(tries, 2);
    });
    for (const value of [1, 2]) it('has the name of another', () => assert.equal(value, 2));
  });
});

describe('shop without stock', () => {
  before(() => {
    throw new Error('the stock cannot be read');
  });
  it('never runs', () => assert.ok(true));
});
