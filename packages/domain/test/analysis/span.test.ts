import { expect } from 'chai';
import fc from 'fast-check';
import { MOST_POINTS, type Span, spansOf } from '../../src/analysis/span.js';
import { DAY, HOUR, START } from './issue-lives.js';

const moment = fc.integer({ min: -400 * 365 * DAY, max: 400 * 365 * DAY });

describe('Spans', () => {
  it('are days of UTC, cut to what is asked for', () => {
    expect(spansOf('day', { from: START + HOUR, at: START + 2 * DAY }, [])).to.deep.equal([
      { from: START + HOUR, at: START + DAY - 1 },
      { from: START + DAY, at: START + 2 * DAY - 1 },
      { from: START + 2 * DAY, at: START + 2 * DAY },
    ]);
  });
  it('are weeks from Monday on', () => {
    const monday = Date.UTC(2026, 0, 19);
    expect(new Date(monday).getUTCDay()).to.equal(1);
    expect(spansOf('week', { from: START, at: monday }, [])).to.deep.equal([
      { from: START, at: monday - 1 },
      { from: monday, at: monday },
    ]);
  });
  it('are the moments of change within what is asked for', () => {
    const moments = [1, 2, 3, 5, 8];
    expect(spansOf('change', { from: 2, at: 5 }, moments)).to.deep.equal([2, 3, 5].map((at) => ({ from: at, at })));
    expect(spansOf('change', { from: 9, at: 10 }, moments)).to.deep.equal([]);
  });
  it('take neighbours together where there would be too many', () => {
    const moments = Array.from({ length: MOST_POINTS + 1 }, (_, place) => place);
    const spans = spansOf('change', { from: 0, at: 9999 }, moments);
    expect(spans.slice(0, 2)).to.deep.equal([
      { from: 0, at: 1 },
      { from: 2, at: 3 },
    ]);
    expect(spans.at(-1)).to.deep.equal({ from: MOST_POINTS, at: MOST_POINTS });
    const days = spansOf('day', { from: 0, at: (MOST_POINTS + 1) * DAY - 1 }, []);
    expect(days[1]).to.deep.equal({ from: 2 * DAY, at: 4 * DAY - 1 });
  });
  it('miss no moment and repeat none, however long the span', () => {
    fc.assert(
      fc.property(fc.constantFrom('day', 'week'), moment, moment, (step, one, other) => {
        const span: Span = { from: Math.min(one, other), at: Math.max(one, other) };
        const spans = spansOf(step, span, []);
        expect(spans).to.have.length.within(1, MOST_POINTS);
        expect([spans[0]?.from, spans.at(-1)?.at]).to.deep.equal([span.from, span.at]);
        for (const [place, { from, at }] of spans.entries()) {
          expect(at).to.be.at.least(from);
          if (place > 0) expect(from).to.equal((spans[place - 1]?.at ?? 0) + 1);
        }
      }),
    );
  });
});
