import { expect } from 'chai';
import { deploymentOfEvent } from '../../src/cdevent/deployment-of-event.js';
import { pointers, refusal } from '../refusal.js';
import { COMMIT, serviceEvent } from './event-of.js';

describe('The deployment of a service event', () => {
  it('is over at once, by whoever sent the event', () => {
    const event = serviceEvent();
    expect(deploymentOfEvent(event)).to.deep.equal({
      environment: 'production',
      commitSha: COMMIT,
      version: COMMIT,
      deployedBy: '/ci/acme',
      status: 'success',
      isReturn: false,
      url: null,
      startedAt: event.at,
      finishedAt: event.at,
      durationSeconds: null,
      external: event.external,
    });
  });
  it('is a success of the artifact it names, and a return when that was rolled back to', () => {
    const made = (kind: 'service.deployed' | 'service.upgraded' | 'service.rolledback') => {
      const { status, isReturn } = deploymentOfEvent(serviceEvent({ kind }));
      return { status, isReturn };
    };
    expect(made('service.deployed')).to.deep.equal({ status: 'success', isReturn: false });
    expect(made('service.upgraded')).to.deep.equal({ status: 'success', isReturn: false });
    expect(made('service.rolledback')).to.deep.equal({ status: 'success', isReturn: true });
  });
  it('takes what custom data says before what is read from the artifact', () => {
    const report = deploymentOfEvent(serviceEvent({ commitSha: 'abcdef0' }));
    expect(report).to.include({ commitSha: 'abcdef0', version: COMMIT });
  });
  it('leaves out a sender too long for a label', () => {
    expect(deploymentOfEvent(serviceEvent({ source: 'x'.repeat(201) })).deployedBy).to.equal(null);
  });
  it('takes the digest of an image for the commit that nothing names', () => {
    const digest = '0b'.repeat(32);
    const report = deploymentOfEvent(serviceEvent({ artifactId: `pkg:oci/shop@sha256%3A${digest}` }));
    expect(report).to.include({ commitSha: digest, version: `sha256:${digest}` });
  });
  it('is refused with neither commit nor digest, and says what to add', () => {
    for (const artifactId of [null, 'pkg:oci/shop@2.4.1']) {
      const { details, message } = refusal(() => deploymentOfEvent(serviceEvent({ artifactId })), 'invalid');
      expect(pointers(details.faults)).to.deep.equal(['/customData/commit_sha']);
      expect(message)
        .to.match(/^customData\.commit_sha is required/)
        .and.to.contain('sha256:');
    }
  });
});
