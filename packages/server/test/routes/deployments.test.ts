import { Deployment as DeploymentSchema } from '@shipworthy/client/contract';
import type { Deployment } from '@shipworthy/domain';
import { expect } from 'chai';
import { deploymentReport, wireDeployment } from '../../src/routes/deployments.js';
import { expectToFit } from '../harness/contract-check.js';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, STARTED } from '../harness/reports.js';
import { useStage } from '../harness/stage.js';

onEveryStore('recordDeployment', (open) => {
  const stage = useStage(open);

  it('answers the record with its receipt and its place', async () => {
    const { pipeline, project, release, service } = stage();
    const { status, headers, body } = await pipeline.ok('recordDeployment', { body: STARTED });
    expect(status).to.equal(201);
    expect(headers.location).to.equal(`/api/deployments/${body.data.id}`);
    const now = new Date(service.clock.read()).toISOString();
    expect(body.data).to.deep.equal({
      ...STARTED,
      id: body.data.id,
      project_id: project.id,
      is_return: false,
      url: null,
      started_at: now,
      finished_at: null,
      duration_seconds: null,
      created_at: now,
      attribution: {
        project: { id: project.id, name: 'checkout' },
        releases: [{ id: release.id, name: '2.4', counts: false, reason: 'still_in_progress' }],
        axis: 'stability',
      },
    });
  });

  it('takes a deployment that is over in one call, all its times equal', async () => {
    const { pipeline, service } = stage();
    const { data } = (await pipeline.ok('recordDeployment', { body: FINISHED })).body;
    const now = new Date(service.clock.read()).toISOString();
    expect([data.started_at, data.finished_at, data.created_at]).to.deep.equal([now, now, now]);
    expect(data).to.include({ status: 'success', duration_seconds: 94.5 });
    expect(data.attribution.releases[0]).to.include({ counts: true }).and.not.have.property('reason');
  });

  it('keeps the times and the page of an import, and says when no window holds it', async () => {
    const { pipeline } = stage();
    const { data } = (
      await pipeline.ok('recordDeployment', {
        body: {
          ...FINISHED,
          status: 'failure',
          url: 'https://ci.acme.dev/runs/4711',
          started_at: '2026-01-05T10:00:00+02:00',
          finished_at: '2026-01-05T08:03:20.123456Z',
        },
      })
    ).body;
    expect(data).to.include({
      url: 'https://ci.acme.dev/runs/4711',
      started_at: '2026-01-05T08:00:00.000Z',
      finished_at: '2026-01-05T08:03:20.123Z',
    });
    expect(data.attribution).to.deep.include({ releases: [], reason: 'no_release_window' });
  });

  it('refuses an unknown name with the nearest ones', async () => {
    const { body } = await stage().pipeline.refused('recordDeployment', 'unknown-app-name', {
      body: { ...STARTED, app_name: 'chekout' },
    });
    expect(body.status).to.equal(422);
    expect(body.nearest).to.deep.equal(['checkout']);
    expect(body.detail).to.contain('checkout');
  });

  it('refuses a name that differs from the name of the given project', async () => {
    const { pipeline, project } = stage();
    const { body } = await pipeline.refused('recordDeployment', 'invalid', {
      body: { ...STARTED, app_name: 'other', project_id: project.id },
    });
    expect(body.errors).to.have.nested.property('[0].pointer', '/app_name');
  });

  it('names every fault at once, unknown fields included', async () => {
    const { body } = await stage().pipeline.refused('recordDeployment', 'invalid', {
      rawBody: JSON.stringify({ ...STARTED, status: 'done', commit_sha: 'xyz', colour: 'red', environment: undefined }),
    });
    const pointers = (body.errors ?? []).map(({ pointer }) => pointer);
    expect(pointers).to.have.members(['/status', '/commit_sha', '/commit_sha', '/colour', '/environment']);
  });

  it('refuses times that cannot be', async () => {
    const { body } = await stage().pipeline.refused('recordDeployment', 'invalid', {
      body: { ...STARTED, started_at: '2026-11-20T12:06:00Z', finished_at: '2026-11-20T12:00:00Z' },
    });
    const codes = (body.errors ?? []).map(({ code }) => code);
    expect(codes).to.have.members(['in-future', 'not-final', 'before-start']);
  });

  it('tells a duplicate from a contradiction by what was sent under the external id', async () => {
    const { pipeline } = stage();
    const first = await pipeline.ok('recordDeployment', { body: { ...FINISHED, external_id: 'run-1' } });
    const reordered = Object.fromEntries(Object.entries({ ...FINISHED, external_id: 'run-1' }).reverse());
    const again = await pipeline.ok('recordDeployment', { rawBody: JSON.stringify(reordered) });
    expect(again.text).to.equal(first.text);
    expect(again.headers.location).to.equal(first.headers.location);
    const { body } = await pipeline.refused('recordDeployment', 'external-id-conflict', {
      body: { ...FINISHED, version: '2.4.2', external_id: 'run-1' },
    });
    expect(body.id).to.equal(first.body.data.id);
  });
});

onEveryStore('recordDeployment where a name is ambiguous', (open) => {
  const stage = useStage(open);

  it('are exported as CSV, filtered like the list, with what each counts for', async () => {
    const { pipeline, inProject: path } = stage();
    const report = { ...FINISHED, environment: '@export', version: '=2.4' };
    await pipeline.ok('recordDeployment', { body: report });
    await pipeline.ok('recordDeployment', { body: { ...STARTED, environment: '@export' } });
    const { headers, text } = await pipeline.ok('exportDeployments', { path, query: { environment: '@export' } });
    expect(headers['content-disposition']).to.equal('attachment; filename="deployments.csv"');
    const [head, ...lines] = text.split('\r\n');
    expect(head).to.match(/^started_at,finished_at,duration_seconds,status,rollback,environment,.*,counts_for,reason,/);
    expect(lines).to.have.length(3);
    const finished = lines.find((line) => !line.includes('"started"'));
    expect(finished).to.match(/,"no","'@export",.*,"'=2\.4",.*,"2\.4",,/);
    expect(lines.find((line) => line.includes('"started"'))).to.contain(',,"still_in_progress",');
    const found = await pipeline.ok('exportDeployments', { path, query: { q: 'EXPORT =2.4' } });
    expect(found.text).to.equal(`${head}\r\n${finished}\r\n`);
    const { data } = (await pipeline.ok('listDeployments', { path, query: { q: '@export', status: 'started' } })).body;
    expect(data.map(({ version }) => version)).to.deep.equal([STARTED.version ?? null]);
    const both = { environment: '@export' } as const;
    const startsOf = (rows: readonly { readonly started_at: string }[]) => rows.map(({ started_at }) => started_at);
    const newest = (await pipeline.ok('listDeployments', { path, query: both })).body.data;
    const oldest = (await pipeline.ok('listDeployments', { path, query: { ...both, order: 'asc' } })).body.data;
    expect(startsOf(oldest)).to.deep.equal(startsOf(newest).toReversed()).and.have.length(2);
    const turned = await pipeline.ok('exportDeployments', { path, query: { ...both, order: 'asc' } });
    expect(turned.text.split('\r\n').slice(1, -1)).to.deep.equal(lines.slice(0, -1).toReversed());
    const query = { environment: '@export', status: 'failure' } as const;
    expect((await pipeline.ok('exportDeployments', { path, query })).text).to.equal(`${head}\r\n`);
  });

  it('lists both projects in sight until project_id decides', async () => {
    const { service, world, ada, project } = stage();
    const platform = await world.team(ada, 'Platform');
    const twin = await world.project(ada, platform, 'checkout');
    const bob = await world.person('Bob');
    await world.project(bob, await world.team(bob, 'Elsewhere'), 'checkout');
    const pipeline = service.withKey(await world.key(ada));
    const { body } = await pipeline.refused('recordDeployment', 'ambiguous-app-name', { body: STARTED });
    expect((body.candidates ?? []).map(({ id }) => id)).to.have.members([project.id, twin.id]);
    const { data } = (
      await pipeline.ok('recordDeployment', { body: { ...STARTED, project_id: twin.id.toUpperCase() } })
    ).body;
    expect(data.project_id).to.equal(twin.id);
  });
});

describe('a body that is no report', () => {
  const stage = useStage();
  it('is refused by its type, its form or its size', async () => {
    const { pipeline } = stage();
    const rawBody = JSON.stringify(STARTED);
    const as = (type: string) => ({ rawBody, headers: { 'content-type': type } });
    await pipeline.refused('recordDeployment', 'unsupported-media-type', as('text/plain'));
    await pipeline.refused('recordDeployment', 'unsupported-media-type', as('application/x-ndjson'));
    await pipeline.refused('recordDeployment', 'malformed-json', { rawBody: rawBody.slice(0, -1) });
    await pipeline.refused('recordDeployment', 'malformed-json', {
      rawBody: '{"status":"started","status":"success"}',
    });
    await pipeline.refused('recordDeployment', 'body-too-large', { rawBody: `"${'x'.repeat(65_536)}"` });
    for (const value of ['null', '[]', '"text"', '7'])
      await pipeline.refused('recordDeployment', 'invalid', { rawBody: value });
  });
});

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

describe('deploymentReport', () => {
  it('takes what was sent, and null for what was not', () => {
    const { app_name, commit_sha, environment, status } = STARTED;
    expect(deploymentReport({ app_name, commit_sha, environment, status })).to.deep.equal({
      appName: 'checkout',
      projectId: null,
      environment: 'production',
      commitSha: STARTED.commit_sha,
      version: null,
      deployedBy: null,
      status: 'started',
      url: null,
      startedAt: null,
      finishedAt: null,
      durationSeconds: null,
      isReturn: false,
      external: null,
    });
  });

  it('takes all that can be sent, zero seconds included', () => {
    const report = deploymentReport({
      ...STARTED,
      status: 'failure',
      project_id: ID.toUpperCase(),
      url: 'https://ci.acme.dev/1',
      started_at: '1970-01-01T00:00:01Z',
      finished_at: '1970-01-01T00:00:02Z',
      duration_seconds: 0,
      external_id: 'run-1',
    });
    expect(report).to.deep.include({
      projectId: ID,
      version: '2.4.1',
      deployedBy: 'github-actions',
      url: 'https://ci.acme.dev/1',
      startedAt: 1000,
      finishedAt: 2000,
      durationSeconds: 0,
    });
    expect(report.external).to.have.property('id', 'run-1');
  });
});

describe('wireDeployment', () => {
  const { external, projectId: _, ...report } = deploymentReport(STARTED);
  const deployment: Deployment = { ...report, id: ID, projectId: ID, startedAt: 1000, createdAt: 2000, external };
  const attribution = {
    project: { id: ID, name: 'checkout' },
    releases: [],
    axis: 'stability',
    reason: 'no_release_window',
  } as const;

  it('shows every field, what is not there as null', () => {
    const wire = wireDeployment({ deployment, attribution });
    expectToFit(DeploymentSchema, wire, 'The deployment');
    expect(wire).to.deep.equal({
      ...STARTED,
      id: ID,
      project_id: ID,
      url: null,
      started_at: '1970-01-01T00:00:01.000Z',
      finished_at: null,
      duration_seconds: null,
      is_return: false,
      created_at: '1970-01-01T00:00:02.000Z',
      attribution,
    });
  });

  it('never shows the external id or its fingerprint', () => {
    const external = { id: 'run-1', fingerprint: 'f00' };
    expect(JSON.stringify(wireDeployment({ deployment: { ...deployment, external }, attribution })))
      .not.to.contain('run-1')
      .and.not.to.contain('f00');
  });
});
