import { expect } from 'chai';
import { deploymentOfEvent } from '../../src/cdevent/deployment-of-event.js';
import { pointers, refusal } from '../refusal.js';
import { COMMIT, serviceEvent } from './event-of.js';

describe('The deployment of a service event', () => {
  it('is over at once, by whoever sent the event, under the last part of the id of the service', () => {
    const event = serviceEvent();
    expect(deploymentOfEvent(event)).to.deep.equal({
      appName: 'Shop',
      projectId: null,
      environment: 'production',
      commitSha: COMMIT,
      version: COMMIT,
      deployedBy: '/ci/acme',
      status: 'success',
      url: null,
      startedAt: event.at,
      finishedAt: event.at,
      durationSeconds: null,
      external: event.external,
    });
  });
  it('succeeded when deployed or upgraded, and failed when it had to be undone', () => {
    const statusOf = (kind: 'service.deployed' | 'service.upgraded' | 'service.rolledback') =>
      deploymentOfEvent(serviceEvent({ kind })).status;
    expect(statusOf('service.deployed')).to.equal('success');
    expect(statusOf('service.upgraded')).to.equal('success');
    expect(statusOf('service.rolledback')).to.equal('failure');
  });
  it('takes what custom data says before what is read from ids', () => {
    const report = deploymentOfEvent(serviceEvent({ appName: 'a/b', commitSha: 'abcdef0', projectId: 'p' }));
    expect(report).to.include({ appName: 'a/b', commitSha: 'abcdef0', projectId: 'p', version: COMMIT });
  });
  it('reads the last part of the id that says something, and leaves out a sender too long for a label', () => {
    expect(deploymentOfEvent(serviceEvent({ subjectId: '/ns/Shop/' })).appName).to.equal('Shop');
    expect(deploymentOfEvent(serviceEvent({ subjectId: 'Shop' })).appName).to.equal('Shop');
    expect(deploymentOfEvent(serviceEvent({ source: 'x'.repeat(201) })).deployedBy).to.equal(null);
  });
  it('is refused without a name or a commit, and says what to add', () => {
    const faulty = serviceEvent({ subjectId: '//', artifactId: null });
    const { details } = refusal(() => deploymentOfEvent(faulty), 'invalid');
    expect(pointers(details.faults)).to.deep.equal(['/subject/id', '/customData/commit_sha']);
    const unnamed = serviceEvent({ appName: 'x'.repeat(201) });
    expect(pointers(refusal(() => deploymentOfEvent(unnamed), 'invalid').details.faults)).to.deep.equal([
      '/customData/app_name',
    ]);
    const digest = serviceEvent({ artifactId: `pkg:oci/shop@sha256%3A${'0b'.repeat(32)}` });
    expect(refusal(() => deploymentOfEvent(digest), 'invalid').message).to.match(/^customData\.commit_sha is required/);
  });
});
