import type { CdServiceEvent } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { serviceEvent, suiteRunEvent } from '../../src/routes/cdevents.js';
import { COMMIT, deployedEvent, suiteRunEvent as sentRun } from '../harness/cdevents.js';
import { useStage } from '../harness/stage.js';

describe('what is not a CDEvent', () => {
  const stage = useStage();
  const now = () => stage().service.clock.read();

  const pointersOf = async (sent: unknown): Promise<readonly string[]> => {
    const { body } = await stage().pipeline.refused('receiveCdEvent', 'invalid', { rawBody: JSON.stringify(sent) });
    return (body.errors as readonly { readonly pointer: string }[]).map(({ pointer }) => pointer).sort();
  };

  it('is refused with every fault there is', async () => {
    expect(await pointersOf({})).to.deep.equal(['/context', '/subject']);
    expect(await pointersOf('event')).to.deep.equal(['']);
    expect(await pointersOf({ context: { type: 'com.example.thing' }, subject: {} })).to.deep.equal([
      '/context/id',
      '/context/source',
      '/context/timestamp',
      '/context/type',
      '/context/version',
      '/subject/id',
    ]);
    const { context } = deployedEvent(now());
    const faulty = {
      context: { ...context, timestamp: '2026-13-20T09:30:00Z' },
      subject: { id: 'checkout', content: { environment: {} } },
    };
    expect(await pointersOf(faulty)).to.deep.equal(['/context/timestamp', '/subject/content/environment/id']);
  });

  it('is told apart in plain words', async () => {
    const { context, subject } = deployedEvent(now());
    const rawBody = JSON.stringify({ context: { ...context, type: 'com.example.thing' }, subject });
    const { body } = await stage().pipeline.refused('receiveCdEvent', 'invalid', { rawBody });
    expect(body.errors).to.deep.equal([
      {
        pointer: '/context/type',
        code: 'not-a-cdevent',
        message: 'type must be the type of a CDEvent, as in dev.cdevents.service.deployed.0.2.0',
      },
    ]);
  });

  it('is pointed to within its envelope, and so are faults of the envelope', async () => {
    const { context, subject } = deployedEvent(now());
    const { id, source, type } = context;
    const envelope = { specversion: '1.0', id, source, type };
    expect(await pointersOf({ ...envelope, id: '' })).to.deep.equal(['/data', '/id']);
    expect(await pointersOf({ ...envelope, specversion: '2.0', data: {} })).to.deep.equal(['/specversion']);
    const data = { context: { ...context, source: undefined }, subject: { ...subject, id: '' } };
    expect(await pointersOf({ ...envelope, data })).to.deep.equal(['/data/context/source', '/data/subject/id']);
  });

  it('is a deployment without a commit or a digest, which says what to add', async () => {
    const { context, subject } = deployedEvent(now());
    const tagged = { ...subject, content: { ...subject.content, artifactId: 'pkg:oci/checkout@2.4.1' } };
    expect(await pointersOf({ context, subject: tagged })).to.deep.equal(['/customData/commit_sha']);
    expect(await pointersOf({ context, subject, customData: { commit_sha: 'release-2.4' } })).to.deep.equal([
      '/customData/commit_sha',
    ]);
  });

  it('has no project, half the counts, or more tests than ran', async () => {
    const { world, ada, team } = stage();
    await world.project(ada, team, 'basket');
    const { context, subject } = sentRun(now());
    expect(await pointersOf({ context, subject })).to.deep.equal(['/customData/app_name']);
    expect(await pointersOf(sentRun(now(), { total: 3 }))).to.deep.equal(['/customData/failed', '/customData/passed']);
    const tooMany = sentRun(now(), { total: 3, passed: 3, failed: 1 });
    expect(await pointersOf(tooMany)).to.deep.equal(['/customData/total']);
    const broken = sentRun(now(), { total: 0, passed: 0, failed: 0 });
    const content = { ...broken.subject.content, outcome: 'pass' };
    expect(await pointersOf({ ...broken, subject: { ...broken.subject, content } })).to.deep.equal([
      '/customData/total',
    ]);
  });

  it('is no event at all, or more than a hundred', async () => {
    expect(await pointersOf([])).to.deep.equal(['']);
    expect(await pointersOf(Array.from({ length: 101 }, () => deployedEvent(now())))).to.deep.equal(['']);
  });

  it('is refused by its size or type before it is read', async () => {
    const { pipeline } = stage();
    const event = deployedEvent(now());
    const large = JSON.stringify({ ...event, customData: { note: 'x'.repeat(262_144) } });
    await pipeline.refused('receiveCdEvent', 'body-too-large', { rawBody: large });
    const headers = { 'content-type': 'application/xml' };
    await pipeline.refused('receiveCdEvent', 'unsupported-media-type', { body: event, headers });
    const latin1 = { 'content-type': 'application/cdevents+json; charset=latin1' };
    await pipeline.refused('receiveCdEvent', 'unsupported-media-type', { body: event, headers: latin1 });
    const lines = { 'content-type': 'application/x-ndjson' };
    await pipeline.refused('receiveCdEvent', 'unsupported-media-type', { body: event, headers: lines });
    await pipeline.refused('receiveCdEvent', 'malformed-json', { rawBody: '{' });
    const half = JSON.stringify({ ...event, customData: { note: 'x'.repeat(200_000) } });
    await pipeline.ok('receiveCdEvent', { rawBody: half });
  });
});

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
    const { external, formerName, ...event } = service(withContext({}));
    expect(formerName).to.equal(null);
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
    const split = [
      service(withContext({ source: '/ci#a', id: 'b' })),
      service(withContext({ source: '/ci', id: 'a#b' })),
    ];
    expect(split.map(({ external: { id }, formerName }) => [id.length, formerName])).to.deep.equal([
      [80, 'cdevents:/ci#a#b'],
      [16, null],
    ]);
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
