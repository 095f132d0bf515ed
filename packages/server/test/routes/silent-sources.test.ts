import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { changePolicy } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

const HOUR = 3_600_000;

onEveryStore('silent sources', (open) => {
  const stage = useFreshStage(open);

  const read = (headers: Readonly<Record<string, string>> = {}) =>
    stage().pipeline.ok('readReadiness', { path: stage().inRelease, headers });
  const iso = (at: number) => new Date(at).toISOString();

  const deployTwoHourly = async () => {
    const { pipeline, service } = stage();
    for (let count = 0; count < 5; count += 1) {
      if (count > 0) service.clock.pass(2 * HOUR);
      await pipeline.ok('recordDeployment', { body: FINISHED });
    }
    return service.clock.read();
  };

  it('are none while what is usual still comes, and named from the very moment their limit is reached', async () => {
    const { service } = stage();
    const lastAt = await deployTwoHourly();
    const before = await read();
    service.clock.pass(6 * HOUR - 1);
    expect((await read()).headers.etag).to.equal(before.headers.etag);
    expect(before.body.data.silent_sources).to.deep.equal([]);
    service.clock.pass(1);
    const after = await read();
    const since = iso(lastAt + 6 * HOUR);
    expect(after.body.data.silent_sources).to.deep.equal([
      { source: 'deployments', last_at: iso(lastAt), limit_hours: 6, basis: 'rhythm', since },
    ]);
    expect(after.body.data.as_of).to.equal(since);
    expect(after.headers.etag).not.to.equal(before.headers.etag);
    service.clock.pass(100 * HOUR);
    expect((await read()).body).to.deep.equal(after.body);
    const { silent_sources: _, as_of: __, ...silent } = after.body.data;
    const { silent_sources: ___, as_of: ____, ...loud } = before.body.data;
    expect(silent).to.deep.equal(loud);
  });

  it('are silent no longer once a record comes', async () => {
    const { pipeline, service } = stage();
    await deployTwoHourly();
    service.clock.pass(9 * HOUR);
    expect((await read()).body.data.silent_sources).to.have.lengthOf(1);
    await pipeline.ok('recordDeployment', { body: FINISHED });
    expect((await read()).body.data.silent_sources).to.deep.equal([]);
  });

  it('are measured by the policy where that says how long', async () => {
    const { pipeline, service, world, ada, project, inProject } = stage();
    const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id };
    await changePolicy(service.ports, { ...at, policy: { ...DEFAULT_POLICY, silenceHours: 24 }, version: 1 });
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const lastAt = service.clock.read();
    service.clock.pass(24 * HOUR);
    expect((await read()).body.data.silent_sources).to.deep.equal([
      { source: 'test_runs', last_at: iso(lastAt), limit_hours: 24, basis: 'policy', since: iso(lastAt + 24 * HOUR) },
    ]);
  });

  it('are kept in the report a release shipped with, and expected no more from then on', async () => {
    const { service, world, ada, project, release, pipeline, inRelease } = stage();
    await deployTwoHourly();
    service.clock.pass(6 * HOUR);
    await world.ship(ada, project, release);
    expect((await read()).body.data.silent_sources).to.have.lengthOf(1);
    const live = await pipeline.ok('readReadiness', { path: inRelease, query: { view: 'live' } });
    expect(live.body.data.silent_sources).to.deep.equal([]);
  });
});
