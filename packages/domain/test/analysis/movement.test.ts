import { expect } from 'chai';
import fc from 'fast-check';
import { MOST_POINTS, movementsOf, NO_MOVEMENT, type Span, spansOf } from '../../src/analysis/movement.js';
import { DAY, event, HOUR, START } from './issue-lives.js';

describe('Movements', () => {
  it('tell what each moment changed, all its issues together', () => {
    const events = [
      event('a', 'added', 1),
      event('b', 'added', 1, 'bug'),
      event('a', 'done', 2),
      event('b', 'removed', 3, 'bug'),
    ];
    expect(movementsOf(events)).to.deep.equal([
      { ...NO_MOVEMENT, at: 1, total: 2, bugs: 1, openBugs: 1, added: 2 },
      { ...NO_MOVEMENT, at: 2, done: 1, completed: 1 },
      { ...NO_MOVEMENT, at: 3, total: -1, bugs: -1, openBugs: -1, removed: 1 },
    ]);
  });
  it('let a canceled issue leave the total at its moment, and come back when it is taken up again', () => {
    const events = [event('a', 'added', 1), event('a', 'canceled', 2), event('a', 'reopened', 3)];
    expect(movementsOf(events)).to.deep.equal([
      { ...NO_MOVEMENT, at: 1, total: 1, added: 1 },
      { ...NO_MOVEMENT, at: 2, total: -1, canceled: 1 },
      { ...NO_MOVEMENT, at: 3, total: 1, added: 1 },
    ]);
  });
  it('are none when a canceled issue leaves, or joins', () => {
    const left = [event('a', 'added', 1), event('a', 'canceled', 2), event('a', 'removed', 3)];
    expect(movementsOf(left)).to.have.lengthOf(2);
    expect(movementsOf([event('a', 'added', 1), event('a', 'canceled', 1)])).to.deep.equal([]);
  });
  it('move no scope when a type changes', () => {
    const events = [event('a', 'added', 1), event('a', 'removed', 2), event('a', 'added', 2, 'bug')];
    expect(movementsOf(events)[1]).to.deep.equal({ ...NO_MOVEMENT, at: 2, bugs: 1, openBugs: 1 });
  });
  it('complete an issue each time anew, and take it back without completing it', () => {
    const kinds = ['added', 'done', 'reopened', 'done', 'done'] as const;
    const movements = movementsOf(kinds.map((kind, at) => event('a', kind, at)));
    expect(movements.map(({ done, completed }) => [done, completed])).to.deep.equal([
      [0, 0],
      [1, 1],
      [-1, 0],
      [1, 1],
    ]);
  });
  it('begin with any first event of a history', () => {
    expect(movementsOf([event('a', 'done', 5)])).to.deep.equal([
      { ...NO_MOVEMENT, at: 5, done: 1, total: 1, added: 1, completed: 1 },
    ]);
    expect(movementsOf([event('a', 'removed', 5)])).to.deep.equal([]);
    expect(movementsOf([])).to.deep.equal([]);
  });
});

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
    const moments = [1, 2, 3, 5, 8].map((at) => ({ at }));
    expect(spansOf('change', { from: 2, at: 5 }, moments)).to.deep.equal([2, 3, 5].map((at) => ({ from: at, at })));
    expect(spansOf('change', { from: 9, at: 10 }, moments)).to.deep.equal([]);
  });
  it('take neighbours together where there would be too many', () => {
    const moments = Array.from({ length: MOST_POINTS + 1 }, (_, at) => ({ at }));
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
