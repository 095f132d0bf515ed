import { expect } from 'chai';
import { linked } from '../harness/linked.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

onEveryStore('readiness while the issues of a release are being imported', (open) => {
  const stage = useFreshStage(open);

  /** Links the project, with those releases pending, in place of what it was linked to. */
  const link = async ({ service, ada, project }: Stage, pendingReleaseIds: readonly string[]): Promise<void> => {
    const { stores, newId, clock } = service.ports;
    const { link: made, state } = linked({ id: newId(), projectId: project.id, userId: ada.user.id }, clock());
    await stores.repositoryLinks.put({ link: made, state: { ...state, pendingReleaseIds } });
  };

  const read = async ({ pipeline, inRelease }: Stage, known?: string) => {
    const headers = known === undefined ? {} : { 'if-none-match': known };
    return pipeline.ok('readReadiness', { path: inRelease, headers });
  };

  it('measures neither scope nor quality, has no go, and says what to wait for', async () => {
    const here = stage();
    const { world, ada, project, release } = here;
    await world.issue(ada, project, { title: 'Refunds', releaseId: release.id, state: 'done' });
    await link(here, [release.id]);
    const { data } = (await read(here)).body;
    for (const axis of data.axes.slice(0, 2)) {
      expect(axis).to.include({ state: 'unmeasured', cause: 'issues_being_imported' });
      expect(axis).not.to.have.property('score');
    }
    const reasons = data.gate.reasons.filter(({ axis }) => axis === 'scope' || axis === 'quality');
    expect(reasons.map(({ code }) => code)).to.deep.equal(['axis_unmeasured', 'axis_unmeasured']);
    expect(data.gate.decision).not.to.equal('go');
    expect(data.gate.next_steps[0]).to.deep.include({ axis: 'scope', action: 'await_import', count: null, gain: null });
    expect(data.gate.next_steps.map(({ action }) => action)).not.to.include('add_issues');
  });

  it('measures them once all are read, under another entity tag', async () => {
    const here = stage();
    const { world, ada, project, release, service } = here;
    await world.issue(ada, project, { title: 'Refunds', releaseId: release.id, state: 'done' });
    await link(here, [release.id]);
    const pending = await read(here);
    const known = pending.headers.etag ?? '';
    expect((await read(here, known)).status).to.equal(304);
    service.clock.pass(60_000);
    await link(here, []);
    const measured = await read(here, known);
    expect(measured.status).to.equal(200);
    expect(measured.body.data.axes[0]).to.include({ state: 'measured', score: 100 });
    expect(measured.body.data.gate.next_steps.map(({ action }) => action)).not.to.include('await_import');
  });

  it('keeps in a frozen report that they were not all known', async () => {
    const here = stage();
    const { world, ada, project, release, service } = here;
    await world.issue(ada, project, { title: 'Refunds', releaseId: release.id, state: 'done' });
    await link(here, [release.id]);
    await world.ship(ada, project, release);
    service.clock.pass(60_000);
    await link(here, []);
    expect((await read(here)).body.data.axes[0]).to.include({ cause: 'issues_being_imported' });
  });
});
