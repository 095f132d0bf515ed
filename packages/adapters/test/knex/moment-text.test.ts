import { assert, integer, property } from 'fast-check';
import { momentTexts } from '../../src/knex/moment-text.js';

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const HOUR = 3_600_000;

describe('texts of moments', () => {
  it('are those of dates, within one day, over its end and far apart', () => {
    const momentText = momentTexts();
    const isRight = (at: number): boolean => momentText(at) === new Date(at).toISOString();
    assert(
      property(integer({ min: FIRST, max: LAST - 30 * HOUR }), integer({ min: 0, max: 30 * HOUR }), (at, later) =>
        [at, at + later, at].every(isRight),
      ),
      { examples: [FIRST, -1, 0, LAST - 30 * HOUR].map((at): [number, number] => [at, 30 * HOUR]), numRuns: 2000 },
    );
  });
});
