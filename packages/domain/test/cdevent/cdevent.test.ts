import { expect } from 'chai';
import { scopeOfKind, usedKind } from '../../src/cdevent/cdevent.js';

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
