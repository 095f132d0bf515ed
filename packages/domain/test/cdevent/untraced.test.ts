import { expect } from 'chai';
import { untraced } from '../../src/cdevent/untraced.js';
import { DomainError } from '../../src/errors.js';
import { pointers } from '../refusal.js';

const tried = {
  kind: 'testsuiterun.finished',
  sources: ['/ci', 'unit'],
  guesses: { names: ['unit'], inSight: 2 },
} as const;

describe('The refusal of an event that leads to no project', () => {
  it('says what was tried and what to do', () => {
    const { code, message, details } = untraced(tried, null);
    expect(code).to.equal('invalid');
    expect(pointers(details.faults)).to.deep.equal(['/customData/app_name']);
    expect(message).to.equal(
      'Tried in vain: customData names no project; no project in sight has the event source "/ci" or "unit"; none is named "unit"; 2 are in sight, not one alone. Send customData.app_name or customData.project_id, or set one of these texts as an event source of the project: PUT /api/teams/{team_id}/projects/{project_id}/event-sources.',
    );
  });
  it('is that of the name of a service, where it has one', () => {
    const ofName = new DomainError('unknown-app-name', 'No project is named x.', { nearest: ['y'] });
    const refusal = untraced({ ...tried, kind: 'service.deployed', guesses: null }, ofName);
    expect(refusal)
      .to.include({ code: 'unknown-app-name' })
      .and.to.have.deep.property('details', { nearest: ['y'] });
    expect(refusal.message)
      .to.match(/^No project is named x\. Tried in vain: /)
      .and.to.contain('event source "/ci" or "unit". Send')
      .and.not.to.contain('in sight.');
    const unnamed = untraced({ ...tried, kind: 'service.deployed' }, null);
    expect(pointers(unnamed.details.faults)).to.deep.equal(['/subject/id']);
  });
  it('quotes no more of a long text than one can read', () => {
    const { message } = untraced({ ...tried, sources: ['x'.repeat(500)] }, null);
    expect(message)
      .to.contain(`"${'x'.repeat(80)}…"`)
      .and.not.to.contain('x'.repeat(81));
  });
});
