import { DeploymentAttribution, TestRunAttribution } from '@shipworthy/client/contract';
import type { Attribution } from '@shipworthy/domain';
import { expect } from 'chai';
import { unlessItFails, wireAttribution, withContributionsOf } from '../../src/routes/reports.js';
import { expectToFit } from '../harness/contract-check.js';
import { inMemory, onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { useFreshStage, useStage } from '../harness/stage.js';

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

onEveryStore('answerReport', (open) => {
  const stage = useStage(open);
  const stored = async (): Promise<number> => {
    const { pipeline, inProject } = stage();
    const { body } = await pipeline.ok('listDeployments', { path: inProject, query: { limit: 200 } });
    return body.data.length;
  };

  it('replays the first answer to the byte, and stores one record', async () => {
    const { pipeline, service } = stage();
    const before = await stored();
    const first = await pipeline.ok('recordDeployment', { body: STARTED, ...keyed('deploy-1') });
    service.clock.pass(60_000);
    const again = await pipeline.ok('recordDeployment', { body: STARTED, ...keyed('deploy-1') });
    expect(first.headers).not.to.have.property('idempotent-replayed');
    expect(again.headers).to.include({ 'idempotent-replayed': 'true', location: first.headers.location });
    expect(again.text).to.equal(first.text);
    expect(await stored()).to.equal(before + 1);
  });

  it('refuses the key for another body, and stores nothing', async () => {
    const { pipeline } = stage();
    await pipeline.ok('recordDeployment', { body: STARTED, ...keyed('deploy-2') });
    const before = await stored();
    await pipeline.refused('recordDeployment', 'idempotency-key-reused', { body: FINISHED, ...keyed('deploy-2') });
    expect(await stored()).to.equal(before);
  });

  it('makes one record of many requests with one key', async () => {
    const { pipeline } = stage();
    const before = await stored();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => pipeline.ask('recordDeployment', { body: FINISHED, ...keyed('deploy-3') })),
    );
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
    expect(texts.size).to.equal(1);
    for (const { status, headers } of answers)
      if (status !== 201) expect({ status, retry: headers['retry-after'] }).to.deep.equal({ status: 409, retry: '1' });
    expect(await stored()).to.equal(before + 1);
  });

  it('remembers no refusal', async () => {
    const { pipeline, world, ada, team, service } = stage();
    const body = { ...STARTED, app_name: 'basket' };
    await pipeline.refused('recordDeployment', 'unknown-app-name', { body, ...keyed('deploy-4') });
    await world.project(ada, team, 'basket');
    service.clock.pass(1);
    await pipeline.ok('recordDeployment', { body, ...keyed('deploy-4') });
  });

  it('keeps keys apart by caller and by path', async () => {
    const { pipeline, world, ada, service, inProject } = stage();
    const other = service.withKey(await world.key(ada));
    const mine = await pipeline.ok('recordDeployment', { body: STARTED, ...keyed('same') });
    const theirs = await other.ok('recordDeployment', { body: STARTED, ...keyed('same') });
    expect(theirs.body.data.id).not.to.equal(mine.body.data.id);
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN, ...keyed('same') });
  });

  it('replays a test run though its release closed since', async () => {
    const { pipeline, world, ada, project, release, inProject } = stage();
    const first = await pipeline.ok('recordTestRun', { path: inProject, body: RUN, ...keyed('run-1') });
    await world.ship(ada, project, release);
    await pipeline.refused('recordTestRun', 'no-active-release', { path: inProject, body: RUN, ...keyed('run-2') });
    const again = await pipeline.ok('recordTestRun', { path: inProject, body: RUN, ...keyed('run-1') });
    expect(again.text).to.equal(first.text);
  });

  it('refuses a key that is no visible ASCII', async () => {
    await stage().pipeline.refused('recordDeployment', 'invalid', { body: STARTED, ...keyed('two words') });
  });
});

const query = { contribution: true };
const KEYED = { headers: { 'idempotency-key': 'k1' } };

onEveryStore('a report that asks for its contribution', (open) => {
  const stage = useFreshStage(open);

  it('is answered with it: a deployment, and the end of one', async () => {
    const { pipeline, release } = stage();
    const first = await pipeline.ok('recordDeployment', { query, body: FINISHED });
    const line = { id: release.id, name: '2.4', counts: true };
    expect(first.body.data.attribution.releases).to.deep.equal([
      { ...line, contribution: { score_with: 50, score_without: 0 } },
    ]);
    const started = await pipeline.ok('recordDeployment', { query, body: STARTED });
    expect(started.body.data.attribution.releases[0]).not.to.have.property('contribution');
    const path = { deployment_id: started.body.data.id };
    const ended = await pipeline.ok('finishDeployment', { path, query, body: { status: 'failure' } });
    expect(ended.body.data.attribution.releases).to.deep.equal([
      { ...line, contribution: { score_with: 25, score_without: 50 } },
    ]);
    expect((await pipeline.ok('readDeployment', { path })).body).to.deep.equal(ended.body);
    const again = await pipeline.ok('finishDeployment', { path, query, body: { status: 'failure' } });
    expect(again.body).to.deep.equal(ended.body);
  });

  it('is answered with it: a test run', async () => {
    const { pipeline, inProject, service } = stage();
    await pipeline.ok('recordTestRun', { path: inProject, body: { total: 4, passed: 1, failed: 3 } });
    service.clock.pass(1000);
    const { data } = (await pipeline.ok('recordTestRun', { path: inProject, query, body: RUN })).body;
    expect(data.attribution.releases[0]?.contribution).to.deep.equal({ score_with: 49.75, score_without: 12.5 });
    const read = await pipeline.ok('readTestRun', { path: { ...inProject, test_run_id: data.id } });
    expect(read.body.data).to.deep.equal(data);
  });

  it('is answered without it unless it asks', async () => {
    const { pipeline, inProject } = stage();
    for (const asked of [{}, { contribution: false }]) {
      const deployment = await pipeline.ok('recordDeployment', { query: asked, body: FINISHED });
      expect(deployment.text).not.to.contain('contribution');
      const run = await pipeline.ok('recordTestRun', { path: inProject, query: asked, body: RUN });
      expect(run.text).not.to.contain('contribution');
    }
  });

  it('is answered without it to a key that may report and not read, and stored all the same', async () => {
    const { service, world, ada, inProject } = stage();
    const narrow = service.withKey(await world.key(ada, { scopes: ['deployments:write', 'test-runs:write'] }));
    const started = await narrow.ok('recordDeployment', { query, body: STARTED });
    const path = { deployment_id: started.body.data.id };
    const answers = [
      await narrow.ok('finishDeployment', { path, query, body: { status: 'success' } }),
      await narrow.ok('recordTestRun', { path: inProject, query, body: RUN, ...KEYED }),
      await narrow.ok('recordTestRun', { path: inProject, query, body: RUN, ...KEYED }),
    ];
    for (const { text } of answers) expect(text).to.contain('"counts":true').and.not.contain('contribution');
  });

  it('repeated by its key gets the first answer with what the record contributes now', async () => {
    const { pipeline, inProject, service } = stage();
    const sent = { body: FINISHED, ...KEYED };
    const first = await pipeline.ok('recordDeployment', { query, ...sent });
    await pipeline.ok('recordDeployment', { body: { ...FINISHED, status: 'failure' } });
    service.clock.pass(60_000);
    const again = await pipeline.ok('recordDeployment', { query, ...sent });
    expect(again.headers).to.include({ 'idempotent-replayed': 'true', location: first.headers.location });
    expect(again.body.data.attribution.releases[0]?.contribution).to.deep.equal({ score_with: 25, score_without: 0 });
    const plain = await pipeline.ok('recordDeployment', sent);
    expect(plain.text).not.to.contain('contribution');
    expect(withContributionsOf(plain.text, again.text)).to.equal(again.text);

    const run = { path: inProject, body: RUN, ...KEYED };
    const recorded = await pipeline.ok('recordTestRun', { query, ...run });
    expect((await pipeline.ok('recordTestRun', { query, ...run })).text).to.equal(recorded.text);
  });
});

describe('a report whose contribution cannot be read', () => {
  const broken = { facts: false, calls: 0 };
  const stage = useFreshStage(async () => {
    const { stores, close } = await inMemory();
    broken.facts = false;
    const facts = {
      ...stores.facts,
      factsFor: async (ids: readonly string[]) => {
        if (!broken.facts) return stores.facts.factsFor(ids);
        broken.calls += 1;
        throw new Error('the database is away');
      },
    };
    return { stores: { ...stores, facts }, close };
  });

  it('is acknowledged all the same, new, finished or repeated', async () => {
    const { pipeline, inProject } = stage();
    const { data } = (await pipeline.ok('recordDeployment', { body: STARTED })).body;
    broken.facts = true;
    const path = { deployment_id: data.id };
    const answers = [
      await pipeline.ok('recordDeployment', { query, body: FINISHED, ...KEYED }),
      await pipeline.ok('recordDeployment', { query, body: FINISHED, ...KEYED }),
      await pipeline.ok('finishDeployment', { path, query, body: { status: 'success' } }),
      await pipeline.ok('recordTestRun', { path: inProject, query, body: RUN }),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 200, 201]);
    for (const { text } of answers) expect(text).to.contain('"counts":true').and.not.contain('contribution');
    expect(broken.calls).to.equal(4);
  });
});

describe('unlessItFails', () => {
  it('answers what the work does, and nothing when it fails at once, later or too late', async () => {
    expect(await unlessItFails(async () => 7)).to.equal(7);
    expect(await unlessItFails(() => Promise.reject(new Error('away')))).to.equal(undefined);
    const thrown = () => {
      throw new Error('at once');
    };
    expect(await unlessItFails(thrown)).to.equal(undefined);
    expect(await unlessItFails(() => new Promise(() => undefined), 5)).to.equal(undefined);
  });
});

describe('withContributionsOf', () => {
  const answer = (releases: readonly object[]) => JSON.stringify({ data: { id: 'd', attribution: { releases } } });
  const [open, counted] = [
    { id: 'a', counts: false },
    { id: 'b', counts: true },
  ];
  const contribution = { score_with: 1, score_without: null };

  it('adds only to what counted in the first answer and still does', () => {
    const later = answer([
      { ...counted, contribution },
      { ...open, counts: true, contribution },
    ]);
    expect(withContributionsOf(answer([open, counted]), later)).to.equal(answer([open, { ...counted, contribution }]));
    expect(withContributionsOf(answer([counted]), answer([{ ...counted, counts: false }]))).to.equal(answer([counted]));
  });
});

const NDJSON = { 'content-type': 'application/x-ndjson' };

onEveryStore('importDeployments', (open) => {
  const stage = useFreshStage(open);

  it('answers for each record in input order and stores the good ones', async () => {
    const { pipeline, inProject } = stage();
    const records: readonly unknown[] = [
      { ...FINISHED, external_id: 'a' },
      { ...FINISHED, status: 'done', colour: 'red' },
      { ...FINISHED, app_name: 'chekout' },
      { ...FINISHED, external_id: 'a' },
      { ...FINISHED, external_id: 'a', version: '3' },
      'not a record',
      { ...STARTED, started_at: '2026-11-20T13:00:00Z' },
      STARTED,
    ];
    const { status, body } = await pipeline.ok('importDeployments', { rawBody: JSON.stringify(records) });
    expect(status).to.equal(200);
    expect(body.data.map(({ index }) => index)).to.deep.equal(records.map((_, index) => index));
    expect(body.data.map(({ result }) => result)).to.deep.equal([
      'created',
      'refused',
      'refused',
      'duplicate',
      'refused',
      'refused',
      'refused',
      'created',
    ]);
    const problems = body.data.flatMap((line) => ('problem' in line ? [line.problem] : []));
    expect(problems.map(({ type, status: code }) => [type.split('/').at(-1), code])).to.deep.equal([
      ['invalid', 422],
      ['unknown-app-name', 422],
      ['external-id-conflict', 409],
      ['invalid', 422],
      ['invalid', 422],
    ]);
    expect(problems[0]?.errors?.map(({ pointer }) => pointer)).to.have.members(['/status', '/colour']);
    for (const { instance } of problems) expect(instance).to.equal('/api/deployments/batch');
    const [first, , , duplicate] = body.data;
    expect(duplicate).to.deep.equal({ index: 3, result: 'duplicate', id: first && 'id' in first ? first.id : '' });
    const listed = await pipeline.ok('listDeployments', { path: inProject });
    expect(listed.body.data).to.have.length(2);
  });

  it('lists the first 100 faults of a batch and says how many each other record has, the same again under its key', async () => {
    const { pipeline } = stage();
    const rawBody = JSON.stringify(Array.from({ length: 1000 }, () => ({ a: 1, b: 2 })));
    const headers = { 'idempotency-key': 'hostile' };
    const { body } = await pipeline.ok('importDeployments', { rawBody, headers });
    const problems = body.data.flatMap((line) => ('problem' in line ? [line.problem] : []));
    expect(problems).to.have.length(1000);
    expect(problems.reduce((sum, { errors = [] }) => sum + errors.length, 0)).to.equal(100);
    const whole = problems[0]?.errors?.length ?? 0;
    expect(whole).to.be.above(2);
    expect(problems.at(-1)?.detail).to.equal(
      `Of this record 0 of ${whole} faults are listed: a batch lists its first 100`,
    );
    expect(JSON.stringify(body).length / 1000, 'characters for a record').to.be.below(400);
    const again = await pipeline.ok('importDeployments', { rawBody, headers });
    expect(again.body).to.deep.equal(body);
  });

  it('takes one record per line, a broken one by itself', async () => {
    const { pipeline } = stage();
    const rawBody = `${JSON.stringify(FINISHED)}\n{"app_name":\n\n${JSON.stringify(STARTED)}\n`;
    const { body } = await pipeline.ok('importDeployments', { rawBody, headers: NDJSON });
    expect(body.data.map(({ result }) => result)).to.deep.equal(['created', 'refused', 'created']);
  });

  it('makes nothing twice when the whole is sent again under its key', async () => {
    const { pipeline, inProject } = stage();
    const rawBody = JSON.stringify([FINISHED, STARTED]);
    const headers = { 'idempotency-key': 'import-1' };
    const first = await pipeline.ok('importDeployments', { rawBody, headers });
    const again = await pipeline.ok('importDeployments', { rawBody, headers });
    expect(again.text).to.equal(first.text);
    expect(again.headers).to.include({ 'idempotent-replayed': 'true' });
    const listed = await pipeline.ok('listDeployments', { path: inProject });
    expect(listed.body.data).to.have.length(2);
  });

  it('takes 1,000 records and refuses more, none, or something else', async () => {
    const { pipeline } = stage();
    const thousand = Array.from({ length: 1000 }, (_, index) => ({ ...FINISHED, external_id: `run-${index}` }));
    const { body } = await pipeline.ok('importDeployments', { rawBody: JSON.stringify(thousand) });
    expect(new Set(body.data.map(({ result }) => result))).to.deep.equal(new Set(['created']));
    const again = await pipeline.ok('importDeployments', { rawBody: JSON.stringify(thousand) });
    expect(new Set(again.body.data.map(({ result }) => result))).to.deep.equal(new Set(['duplicate']));
    for (const rawBody of [JSON.stringify([...thousand, FINISHED]), '[]', '{}'])
      await pipeline.refused('importDeployments', 'invalid', { rawBody });
    await pipeline.refused('importDeployments', 'malformed-json', { rawBody: '[{' });
    await pipeline.refused('importDeployments', 'body-too-large', { rawBody: `["${'x'.repeat(2_097_152)}"]` });
  });
});

onEveryStore('importTestRuns', (open) => {
  const stage = useFreshStage(open);

  it('answers for each record in input order and stores the good ones', async () => {
    const { pipeline, inProject } = stage();
    const records = [
      { ...RUN, external_id: 'a' },
      { ...RUN, passed: 412 },
      { ...RUN, external_id: 'a' },
      { ...RUN, total: 0 },
    ];
    const { body } = await pipeline.ok('importTestRuns', { path: inProject, rawBody: JSON.stringify(records) });
    expect(body.data.map(({ result }) => result)).to.deep.equal(['created', 'refused', 'duplicate', 'refused']);
    const [, refused] = body.data;
    const instance = `/api/teams/${inProject.team_id}/projects/${inProject.project_id}/test-runs/batch`;
    expect(refused && 'problem' in refused ? refused.problem.instance : '').to.equal(instance);
    const listed = await pipeline.ok('listTestRuns', { path: inProject });
    expect(listed.body.data).to.have.length(1);
  });

  it('refuses each record that has no release to go to', async () => {
    const { pipeline, world, ada, project, release, inProject } = stage();
    await world.ship(ada, project, release);
    const records = [RUN, { ...RUN, release_id: release.id }];
    const { body } = await pipeline.ok('importTestRuns', { path: inProject, rawBody: JSON.stringify(records) });
    const types = body.data.map((line) => ('problem' in line ? line.problem.type.split('/').at(-1) : line.result));
    expect(types).to.deep.equal(['no-active-release', 'release-closed']);
  });
});

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const OTHER = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7f';
const NOWHERE: Attribution = {
  project: { id: ID, name: 'checkout' },
  releases: [],
  axis: 'stability',
  reason: 'no_release_window',
};

describe('wireAttribution', () => {
  it('says why a record counts for nothing', () => {
    const wire = wireAttribution('stability', NOWHERE);
    expect(wire).to.deep.equal(NOWHERE);
    expectToFit(DeploymentAttribution, wire, 'The receipt');
  });

  it('says for each release whether it counts, why not, and what it does to the score', () => {
    const line = { id: OTHER, name: '2.4', contribution: null };
    const releases = [
      { ...line, counts: true, reason: null, contribution: { scoreWith: 80, scoreWithout: null } },
      { ...line, counts: false, reason: 'superseded_by_newer_run' as const },
    ];
    const wire = wireAttribution('verification', { ...NOWHERE, axis: 'verification', releases, reason: null });
    expect(wire).to.deep.equal({
      project: { id: ID, name: 'checkout' },
      releases: [
        { id: OTHER, name: '2.4', counts: true, contribution: { score_with: 80, score_without: null } },
        { id: OTHER, name: '2.4', counts: false, reason: 'superseded_by_newer_run' },
      ],
      axis: 'verification',
    });
    expectToFit(TestRunAttribution, wire, 'The receipt');
  });
});
