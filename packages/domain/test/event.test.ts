import { expect } from 'chai';
import { type EventPoint, eventMessage, eventsOfPoints } from '../src/event.js';

describe('The message of an event', () => {
  const event = {
    id: 'e1',
    at: Date.UTC(2026, 10, 21, 12, 0, 0, 7),
    type: 'gate.changed',
    teamId: 't',
    project: { id: 'p', name: 'Shop' },
    release: { id: 'r', name: '1.0' },
    reading: { score: 81.5, coverage: 0.8, decision: 'go' },
    before: { score: null, coverage: 0, decision: 'unknown' },
  } as const;
  it('has type, time and data in the words of the interface', () => {
    expect(eventMessage(event)).to.deep.equal({
      type: 'gate.changed',
      timestamp: '2026-11-21T12:00:00.007Z',
      data: {
        team_id: 't',
        project: { id: 'p', name: 'Shop' },
        release: { id: 'r', name: '1.0' },
        score: 81.5,
        coverage: 0.8,
        decision: 'go',
        before: { score: null, coverage: 0, decision: 'unknown' },
      },
    });
  });
  it('names the waivers that the decision depends on', () => {
    const waiver = { id: 'w', code: 'axis_below_minimum', axis: 'ops', expiresAt: Date.UTC(2026, 11, 1) } as const;
    const waived = { decisionWithoutWaivers: 'hold', waivers: [waiver, { ...waiver, axis: null }] } as const;
    const named = { id: 'w', code: 'axis_below_minimum', expires_at: '2026-12-01T00:00:00.000Z' };
    expect(eventMessage({ ...event, waived }).data).to.deep.include({
      decision: 'go',
      decision_without_waivers: 'hold',
      waivers: [{ ...named, axis: 'ops' }, named],
    });
  });
  it('says that nothing was recorded before', () => {
    expect(eventMessage({ ...event, before: null }).data.before).to.equal(null);
  });
});

const told = {
  project: { id: 'p', teamId: 't', name: 'Shop' },
  release: { id: 'r', name: '1.0' },
};
const point = (at: number, more: Partial<EventPoint> = {}): EventPoint => ({
  at,
  score: 80,
  coverage: 0.8,
  decision: 'hold',
  ...more,
});
const numbered = () => {
  let last = 0;
  return () => {
    last += 1;
    return `e${last}`;
  };
};
const typesOf = (last: EventPoint | undefined, points: readonly EventPoint[]) =>
  eventsOfPoints(told, last, points, numbered()).map(({ at, type }) => `${at} ${type}`);

describe('The events of points', () => {
  it('name project and release, the new reading and the one before', () => {
    const events = eventsOfPoints(told, point(1), [point(2, { score: 81 })], numbered());
    expect(events).to.deep.equal([
      {
        id: 'e1',
        at: 2,
        type: 'readiness.changed',
        teamId: 't',
        project: { id: 'p', name: 'Shop' },
        release: { id: 'r', name: '1.0' },
        reading: { score: 81, coverage: 0.8, decision: 'hold' },
        before: { score: 80, coverage: 0.8, decision: 'hold' },
      },
    ]);
  });
  it('are of readiness when score, coverage or decision moved, and none when nothing did', () => {
    expect(typesOf(point(1), [point(2)])).to.deep.equal([]);
    for (const moved of [{ score: null }, { score: 79.99 }, { coverage: 1 }])
      expect(typesOf(point(1), [point(2, moved)])).to.deep.equal(['2 readiness.changed']);
  });
  it('are of the gate too when the decision moved', () => {
    expect(typesOf(point(1), [point(2, { decision: 'go' })])).to.deep.equal(['2 readiness.changed', '2 gate.changed']);
    expect(typesOf(undefined, [point(2)])).to.deep.equal(['2 readiness.changed', '2 gate.changed']);
  });
  it('compare each point with the one before it', () => {
    const points = [
      point(2, { decision: 'go' }),
      point(3, { decision: 'go' }),
      point(4, { score: 90, decision: 'go' }),
    ];
    const events = eventsOfPoints(told, point(1), points, numbered());
    expect(events.map(({ at, type }) => `${at} ${type}`)).to.deep.equal([
      '2 readiness.changed',
      '2 gate.changed',
      '4 readiness.changed',
    ]);
    expect(events.at(-1)?.before).to.deep.equal({ score: 80, coverage: 0.8, decision: 'go' });
    expect(new Set(events.map(({ id }) => id)).size).to.equal(3);
  });
});
