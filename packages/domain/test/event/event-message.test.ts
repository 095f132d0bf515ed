import { expect } from 'chai';
import { eventMessage } from '../../src/event/event-message.js';

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
  it('says that nothing was recorded before', () => {
    expect(eventMessage({ ...event, before: null }).data.before).to.equal(null);
  });
});
