import { expect, test } from '@playwright/test';

test.describe('basket', () => {
  test('adds up', () => expect(1 + 1).toBe(2));
  test('grüßt 世界 🚀 "<&>"', () => expect(true).toBe(true));
  test('fails', () => expect(1).toBe(2));
  test.skip('is left out', () => expect(1).toBe(2));
  test.fail('is known to fail', () => expect(1).toBe(2));
  test.describe('inner', () => {
    test('passes at the second try', () => expect(test.info().retry).toBe(1));
  });
});

test.describe('shop without stock', () => {
  test.beforeAll(() => {
    throw new Error('the stock cannot be read');
  });
  test('never runs', () => expect(true).toBe(true));
});
