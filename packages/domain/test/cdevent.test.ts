import { expect } from 'chai';
import { EVENT_POINTERS, refusalInEvent, scopeOfKind, usedKind } from '../src/cdevent.js';
import { DomainError, invalid } from '../src/errors.js';

describe('The kind of a CDEvent', () => {
  it('is that of its type, whatever the version', () => {
    for (const version of ['0.1.1', '0.2.0', '0.3.0-draft', '1.0.0'])
      expect(usedKind(`dev.cdevents.service.deployed.${version}`), version).to.equal('service.deployed');
    expect(usedKind('dev.cdevents.service.upgraded')).to.equal('service.upgraded');
    expect(usedKind('dev.cdevents.service.rolledback.0.2.0')).to.equal('service.rolledback');
    expect(usedKind('dev.cdevents.testsuiterun.finished.0.2.0')).to.equal('testsuiterun.finished');
  });
  it('is none for every other type', () => {
    for (const type of [
      'dev.cdevents.service.removed.0.2.0',
      'dev.cdevents.testsuiterun.started.0.2.0',
      'dev.cdevents.service.deployedtwice.0.2.0',
      'dev.cdeventsx.tool-service.deployed.0.1.0',
      'com.example.service.deployed.0.2.0',
      '',
    ])
      expect(usedKind(type), type).to.equal(null);
  });
  it('decides the scope a key needs', () => {
    expect(scopeOfKind('service.rolledback')).to.equal('deployments:write');
    expect(scopeOfKind('testsuiterun.finished')).to.equal('test-runs:write');
  });
});

const fault = (pointer: string, message: string) => ({ pointer, code: 'in-future', message });

describe('A refusal in the words of an event', () => {
  it('points into the event, at the place it has in what was sent, and names what two fields share once', () => {
    const refusal = invalid([
      fault('/started_at', 'started_at lies ahead.'),
      fault('/finished_at', 'finished_at lies ahead.'),
      fault('/subject/id', 'subject.id is odd.'),
      fault('/total', 'passed and failed together exceed total.'),
    ]);
    const { code, message, details } = refusalInEvent(refusal, EVENT_POINTERS, '/data');
    expect(details.faults).to.deep.equal([
      { pointer: '/data/context/timestamp', code: 'in-future', message: 'context.timestamp lies ahead.' },
      { pointer: '/data/subject/id', code: 'in-future', message: 'subject.id is odd.' },
      { pointer: '/data/customData/total', code: 'in-future', message: 'passed and failed together exceed total.' },
    ]);
    expect(code).to.equal('invalid');
    expect(message).to.equal(
      'context.timestamp lies ahead.; subject.id is odd.; passed and failed together exceed total.',
    );
  });
  it('says where the name was read that no project has, and keeps the nearest ones', () => {
    const unknown = new DomainError('unknown-app-name', 'No project is named Shoop.', { nearest: ['Shop'] });
    const refusal = refusalInEvent(unknown, { '/app_name': '/subject/id' }, '');
    expect(refusal.message).to.equal('No project is named Shoop.');
    expect(refusal.details).to.deep.equal({
      nearest: ['Shop'],
      faults: [{ pointer: '/subject/id', code: 'unknown-app-name', message: 'No project is named Shoop.' }],
    });
  });
  it('leaves a refusal that is about no field as it is', () => {
    const refusal = new DomainError('no-active-release', 'None is active.');
    expect(refusalInEvent(refusal, EVENT_POINTERS, '/data')).to.equal(refusal);
  });
});
