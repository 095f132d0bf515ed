import type { BodyOf, Operations } from '@shipworthy/client/contract';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

/** Nothing is demanded but of stability. */
const demanding = (stability: number): BodyOf<Operations['previewPolicy']> => ({
  weights: { scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 },
  threshold: 0,
  minimums: { scope: 0, quality: 0, ops: 0, verification: 0, stability },
  required_axes: [],
  environments: null,
  freshness_hours: null,
  verification: 'latest_run',
  max_open_critical_bugs: null,
  min_finished_deployments: 1,
});

/** 2.4 shipped with 3 successes and a failure in staging under a policy that demanded 60; 2.5 is active. */
const shipped = async ({ browser, pipeline, inProject: path, world, ada, project, release, service }: Stage) => {
  await browser.ok('replacePolicy', { path, body: demanding(60), headers: { 'if-match': '"1"' } });
  const reports = [FINISHED, FINISHED, FINISHED, { ...FINISHED, status: 'failure', environment: 'staging' }];
  await pipeline.ok('importDeployments', { rawBody: JSON.stringify(reports) });
  service.clock.pass(60_000);
  await world.ship(ada, project, release);
  service.clock.pass(60_000);
  return world.release(ada, project, '2.5');
};

onEveryStore('previewPolicy', (open) => {
  const stage = useFreshStage(open);

  it('tells which decisions flip and which releases would have been held, flips first', async () => {
    const next = await shipped(stage());
    const { pipeline, inProject: path, release } = stage();
    const { data } = (await pipeline.ok('previewPolicy', { path, body: demanding(80) })).body;
    expect(data).to.deep.equal({
      releases: [
        {
          release: { id: release.id, name: '2.4', state: 'shipped' },
          before: { score: 37.5, decision: 'go' },
          after: { score: 37.5, decision: 'hold' },
          flips: true,
        },
        {
          release: { id: next.id, name: '2.5', state: 'active' },
          before: { score: 0, decision: 'go' },
          after: { score: 0, decision: 'go' },
          flips: false,
        },
      ],
      flips: 1,
      would_have_held: [release.id],
      would_have_held_count: 1,
      considered: 2,
    });
  });

  it('counts what the policy sent counts', async () => {
    await shipped(stage());
    const { pipeline, inProject: path, release } = stage();
    const heldIn = async (environments: readonly string[]) => {
      const body = { ...demanding(80), environments };
      return (await pipeline.ok('previewPolicy', { path, body })).body.data.would_have_held;
    };
    expect(await heldIn(['production'])).to.deep.equal([]);
    expect(await heldIn(['staging'])).to.deep.equal([release.id]);
  });

  it('changes nothing', async () => {
    await shipped(stage());
    const { pipeline, inProject: path } = stage();
    const before = await pipeline.ok('readActiveReadiness', { path });
    await pipeline.ok('previewPolicy', { path, body: { ...demanding(99), version: 7 } });
    expect((await pipeline.ok('readPolicy', { path })).body.data).to.include({ version: 2 });
    expect((await pipeline.ok('readActiveReadiness', { path })).headers.etag).to.equal(before.headers.etag);
  });

  it('names every fault at its place', async () => {
    const { pipeline, inProject: path } = stage();
    const body = { ...demanding(80.001), environments: ['eu', 'us'], threshold: 100.001 };
    const { errors = [] } = (await pipeline.refused('previewPolicy', 'invalid', { path, body })).body;
    expect(errors.map(({ pointer }) => pointer)).to.include('/threshold');
  });
});

onEveryStore('listPolicyVersions', (open) => {
  const stage = useFreshStage(open);

  it('tells who changed the policy and when, newest first, page by page', async () => {
    const { browser, pipeline, inProject: path, service } = stage();
    const created = new Date(service.clock.read()).toISOString();
    const changes: string[] = [];
    for (const stability of [10, 20]) {
      service.clock.pass(60_000);
      changes.unshift(new Date(service.clock.read()).toISOString());
      const headers = { 'if-match': `"${changes.length}"` };
      await browser.ok('replacePolicy', { path, body: demanding(stability), headers });
    }
    const first = (await pipeline.ok('listPolicyVersions', { path, query: { limit: 2 } })).body;
    expect(first.data.map(({ version, changed_at, changed_by }) => [version, changed_at, changed_by])).to.deep.equal([
      [3, changes[0], 'Ada'],
      [2, changes[1], 'Ada'],
    ]);
    const sent = { ...demanding(20), stability_bound: 'rate', silence_hours: null };
    expect(first.data[0]?.policy).to.deep.equal({ ...sent, version: 3 });
    const cursor = first.next_cursor ?? '';
    const last = (await pipeline.ok('listPolicyVersions', { path, query: { limit: 2, cursor } })).body;
    expect(last.next_cursor).to.equal(null);
    expect(last.data).to.have.length(1);
    expect(last.data[0]).to.include({ version: 1, changed_at: created, changed_by: null });
    expect(last.data[0]?.policy.threshold).to.equal(80);
  });

  it('has twenty versions on a page at most, for they may be long', async () => {
    const { pipeline, inProject: path, service } = stage();
    await service.ports.stores.transaction(async ({ policies }) => {
      for (let version = 2; version <= 22; version += 1)
        await policies.add(path.project_id, { policy: DEFAULT_POLICY, version, changedAt: version, changedBy: 'Ada' });
    });
    const first = (await pipeline.ok('listPolicyVersions', { path, query: { limit: 200 } })).body;
    expect(first.data).to.have.length(20);
    const cursor = first.next_cursor ?? '';
    const last = (await pipeline.ok('listPolicyVersions', { path, query: { limit: 200, cursor } })).body;
    expect(last.data.map(({ version }) => version)).to.deep.equal([2, 1]);
    expect(last.next_cursor).to.equal(null);
  });

  it('is exported as CSV, a column for each demand', async () => {
    const { browser, pipeline, inProject: path } = stage();
    const own_axes = [{ name: 'page_speed', weight: 2 }];
    const environments = ['=production', 'eu, west'];
    const body = { ...demanding(12.5), required_axes: ['ops', 'stability'], environments, own_axes } as const;
    const { data } = (await browser.ok('replacePolicy', { path, body, headers: { 'if-match': '"1"' } })).body;
    const { headers, text } = await pipeline.ok('exportPolicyVersions', { path });
    expect(headers['content-disposition']).to.equal('attachment; filename="policy-versions.csv"');
    const [head = '', changed = '', created = '', ...rest] = text.split('\r\n');
    const ofAxes = (what: string) =>
      ['scope', 'quality', 'ops', 'verification', 'stability'].map((axis) => what + axis);
    expect(head).to.equal(
      `version,changed_at,changed_by,threshold,${ofAxes('weight_')},${ofAxes('minimum_')},required_axes,environments,freshness_hours,verification,max_open_critical_bugs,min_finished_deployments,stability_bound,silence_hours,own_axes`,
    );
    expect(changed)
      .to.match(/^2,"[^"]+","Ada",0,1,1,1,1,1,0,0,0,0,12\.5,"ops stability",/)
      .and.contain(`,"[""=production"",""eu, west""]",,"latest_run",,1,"rate",,`)
      .and.contain(JSON.stringify(data.own_axes).replaceAll('"', '""'));
    expect(created)
      .to.match(/^1,"[^"]+",,80,/)
      .and.match(/,0,1,"rate",,$/);
    expect(rest).to.deep.equal(['']);
  });
});
