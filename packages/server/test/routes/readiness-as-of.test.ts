import { expect } from 'chai';
import { linked } from '../harness/linked.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const MINUTE = 60_000;

onEveryStore('readiness while the repository host cannot be read', (open) => {
  const stage = useFreshStage(open);

  /** Links the project, with an import that went through just now. Answers that moment. */
  const link = async ({ service, ada, project }: Stage): Promise<number> => {
    const { stores, newId, clock } = service.ports;
    const completedAt = clock();
    const ids = { id: newId(), projectId: project.id, userId: ada.user.id };
    await stores.repositoryLinks.put(linked(ids, completedAt));
    return completedAt;
  };

  const importFails = ({ service, project }: Stage, completedAt: number): Promise<void> =>
    service.ports.stores.repositoryLinks.setIssuesAsOf(project.id, completedAt, service.clock.read());

  const importGoesThrough = ({ service, project }: Stage): Promise<void> =>
    service.ports.stores.repositoryLinks.setIssuesAsOf(project.id, null, service.clock.read());

  const read = async ({ pipeline, inRelease }: Stage) => {
    const { body, text, headers } = await pipeline.ok('readReadiness', { path: inRelease });
    const known = body.data.axes.map((reading) => ('as_of' in reading ? reading.as_of : null));
    const { score, coverage, gate, axes } = body.data;
    return { text, etag: headers.etag, known, judged: { score, coverage, gate }, axes };
  };

  it('says as of when the issues are known, and no longer once they are current again', async () => {
    const here = stage();
    const { world, ada, project, release, service } = here;
    await world.issue(ada, project, { title: 'Refunds', releaseId: release.id, state: 'done' });
    const completedAt = await link(here);
    const current = await read(here);
    expect(current.known).to.deep.equal([null, null, null, null, null]);

    service.clock.pass(30 * MINUTE);
    await importFails(here, completedAt);
    const stale = await read(here);
    const asOf = new Date(completedAt).toISOString();
    expect(stale.known).to.deep.equal([asOf, asOf, null, null, null]);
    expect(stale.etag).not.to.equal(current.etag);
    expect(stale.judged).to.deep.equal(current.judged);
    const minute = `, as of ${asOf.slice(11, 16)} UTC on ${asOf.slice(0, 10)}`;
    const explanations = current.axes.map(({ explanation }) => explanation);
    expect(stale.axes.map(({ explanation }) => explanation)).to.deep.equal(
      explanations.map((text, index) => (index < 2 ? text + minute : text)),
    );

    service.clock.pass(30 * MINUTE);
    await importFails(here, completedAt);
    expect(await read(here)).to.deep.equal(stale);

    await importGoesThrough(here);
    const again = await read(here);
    expect(again.known).to.deep.equal(current.known);
    expect(again.axes).to.deep.equal(current.axes);
    expect([stale.etag, current.etag]).not.to.include(again.etag);
    expect(await read(here)).to.deep.equal(again);
  });

  it('answers the old entity tag with the new report, and the new one without a body', async () => {
    const here = stage();
    const { pipeline, inProject, inRelease, service } = here;
    const completedAt = await link(here);
    let known = (await read(here)).etag ?? '';
    for (const change of [() => importFails(here, completedAt), () => importGoesThrough(here)]) {
      service.clock.pass(MINUTE);
      await change();
      const answer = await pipeline.ok('readReadiness', { path: inRelease, headers: { 'if-none-match': known } });
      expect(answer.status).to.equal(200);
      known = answer.headers.etag ?? '';
      const headers = { 'if-none-match': known };
      expect((await pipeline.ok('readReadiness', { path: inRelease, headers })).status).to.equal(304);
      expect((await pipeline.ok('readActiveReadiness', { path: inProject, headers })).status).to.equal(304);
    }
  });

  it('keeps in a frozen report as of when the issues were known', async () => {
    const here = stage();
    const { pipeline, inRelease, world, ada, project, release, service } = here;
    const completedAt = await link(here);
    service.clock.pass(MINUTE);
    await importFails(here, completedAt);
    service.clock.pass(MINUTE);
    await world.ship(ada, project, release);
    const frozen = await read(here);
    const asOf = new Date(completedAt).toISOString();
    expect(frozen.known).to.deep.equal([asOf, asOf, null, null, null]);
    service.clock.pass(MINUTE);
    await importGoesThrough(here);
    expect(await read(here)).to.deep.equal(frozen);
    const live = await pipeline.ok('readReadiness', { path: inRelease, query: { view: 'live' } });
    for (const reading of live.body.data.axes) expect(reading).not.to.have.property('as_of');
  });
});
