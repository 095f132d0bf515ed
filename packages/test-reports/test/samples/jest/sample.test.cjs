describe('basket', () => {
  it('adds up', () => expect(1 + 1).toBe(2));
  it('grüßt 世界 🚀 "<&>"', () => expect(true).toBe(true));
  it('fails', () => expect(1).toBe(2));
  it.skip('is left out', () => expect(1).toBe(2));
  it.todo('is to be written');
  it.each([1, 2])('has the name of another', (value) => expect(value).toBe(2));
});

describe('inner', () => {
  jest.retryTimes(2);
  let tries = 0;
  it('passes at the second try', () => {
    tries += 1;
    expect(tries).toBe(2);
  });
});
