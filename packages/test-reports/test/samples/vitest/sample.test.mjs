import { describe, expect, it } from 'vitest';

describe('basket', () => {
  it('adds up', () => expect(1 + 1).toBe(2));
  it('grüßt 世界 🚀 "<&>"', () => expect(true).toBe(true));
  it('fails', () => expect(1).toBe(2));
  it.skip('is left out', () => expect(1).toBe(2));
  it.todo('is to be written');
  it.each([1, 2])('has the name of another', (value) => expect(value).toBe(2));
  describe('inner', () => {
    let tries = 0;
    it('passes at the second try', { retry: 2 }, () => {
      tries += 1;
      expect(tries).toBe(2);
    });
  });
});
