import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

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
