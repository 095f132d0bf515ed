import type { CdServiceEvent } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { serviceEvent, suiteRunEvent } from '../../src/wire/cdevent.js';
import { COMMIT, deployedEvent, suiteRunEvent as sentRun } from '../harness/cdevents.js';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const service = (sent: CdServiceEvent) => {
  const event = serviceEvent('service.deployed', sent);
  if (event.kind === 'other' || event.kind === 'foreign') throw new Error(event.kind);
  return event;
};
const withContext = (over: Partial<CdServiceEvent['context']>): CdServiceEvent => {
  const sent = deployedEvent(AT);
  return { ...sent, context: { ...sent.context, id: '1', ...over } };
};

describe('a CDEvent on the wire', () => {
  it('is a service event as the domain takes it', () => {
    const { external, ...event } = service(withContext({}));
    expect(event).to.deep.equal({
      kind: 'service.deployed',
      source: '/ci/acme',
      subjectSource: null,
      at: AT,
      appName: null,
      projectId: null,
      commitSha: null,
      subjectId: 'service/checkout',
      environment: 'production',
      artifactId: `pkg:github/acme/checkout@${COMMIT}`,
    });
    expect(external.id).to.equal('cdevents:/ci/acme#1');
  });

  it('is a suite that ended, in the words of all versions', () => {
    const outcomes = ['pass', 'success', 'fail', 'failure', 'cancel', 'error'] as const;
    const read = outcomes.map((outcome) => {
      const sent = sentRun(AT);
      return suiteRunEvent({ ...sent, subject: { ...sent.subject, content: { outcome } } });
    });
    expect(read.map((event) => 'outcome' in event && event.outcome)).to.deep.equal([
      'pass',
      'pass',
      'fail',
      'fail',
      'cancel',
      'error',
    ]);
    expect(read[0]).to.deep.include({
      suite: null,
      suiteId: null,
      subjectSource: null,
      counts: null,
      appName: 'checkout',
    });
    const counted = suiteRunEvent(sentRun(AT, { total: 3, passed: 2, failed: 1 }));
    expect(counted).to.deep.include({
      suite: 'Unit tests',
      suiteId: 'unit',
      counts: { total: 3, passed: 2, failed: 1, skipped: null },
    });
  });

  it('is known by source and id, in 255 characters at most', () => {
    const names = [service(withContext({ id: 'x'.repeat(1000) })), service(withContext({ id: `${'x'.repeat(999)}y` }))];
    for (const { external } of names) expect(external.id).to.match(/^cdevents:sha256:[0-9a-f]{64}$/);
    expect(names[0]?.external.id).not.to.equal(names[1]?.external.id);
    const longest = 255 - 'cdevents:/ci/acme#'.length;
    expect(service(withContext({ id: 'x'.repeat(longest) })).external.id).to.have.lengthOf(255);
  });

  it('has the same fingerprint however it came, and another one when it says something else', () => {
    const { external } = service(withContext({}));
    const again = service({ ...withContext({ version: '0.4.0', type: 'dev.cdevents.service.deployed.0.1.1' }) });
    expect(again.external).to.deep.equal(external);
    const elsewhere = service({ ...withContext({}), subject: { ...withContext({}).subject, source: '/ci/checkout' } });
    expect(elsewhere).to.deep.include({ external, subjectSource: '/ci/checkout' });
    const other = service(withContext({ timestamp: '2026-11-20T09:30:01Z' }));
    expect(other.external.id).to.equal(external.id);
    expect(other.external.fingerprint).not.to.equal(external.fingerprint);
  });

  it('says nothing by custom data that is encoded', () => {
    const encoded = service({ ...withContext({}), customData: 'eyJhcHBfbmFtZSI6ICJ4In0=' });
    expect(encoded).to.deep.include({ appName: null, projectId: null, commitSha: null });
    const plain = service({
      ...withContext({}),
      customData: { app_name: 'shop', project_id: 'ABCDEF', commit_sha: COMMIT },
    });
    expect(plain).to.deep.include({ appName: 'shop', projectId: 'abcdef', commitSha: COMMIT });
  });
});
