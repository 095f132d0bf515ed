import { expect } from 'chai';
import { deployedEvent, suiteRunEvent } from '../harness/cdevents.js';
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

  it('is a test run of nobody, of half the counts, or of more tests than ran', async () => {
    const { world, ada, team } = stage();
    await world.project(ada, team, 'basket');
    const { context, subject } = suiteRunEvent(now());
    expect(await pointersOf({ context, subject })).to.deep.equal(['/customData/app_name']);
    expect(await pointersOf(suiteRunEvent(now(), { total: 3 }))).to.deep.equal([
      '/customData/failed',
      '/customData/passed',
    ]);
    const tooMany = suiteRunEvent(now(), { total: 3, passed: 3, failed: 1 });
    expect(await pointersOf(tooMany)).to.deep.equal(['/customData/total']);
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
