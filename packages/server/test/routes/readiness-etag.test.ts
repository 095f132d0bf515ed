import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { changePolicy, editIssue, renameProject } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const HOUR = 3_600_000;

/** Every kind of change that can move a report. */
const CHANGES: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  'a deployment begins': ({ pipeline }) => pipeline.ok('recordDeployment', { body: STARTED }),
  'a deployment ends': async ({ pipeline, inProject }) => {
    const { body } = await pipeline.ok('listDeployments', { path: inProject, query: { status: 'started' } });
    const path = { deployment_id: body.data[0]?.id ?? '' };
    return pipeline.ok('finishDeployment', { path, body: { status: 'failure' } });
  },
  'deployments are imported': ({ pipeline }) =>
    pipeline.ok('importDeployments', { rawBody: JSON.stringify([FINISHED]) }),
  'tests run': ({ pipeline, inProject }) => pipeline.ok('recordTestRun', { path: inProject, body: RUN }),
  'test runs are imported': ({ pipeline, inProject }) =>
    pipeline.ok('importTestRuns', { path: inProject, rawBody: JSON.stringify([{ ...RUN, passed: 400 }]) }),
  'an issue is added': ({ world, ada, project, release }) =>
    world.issue(ada, project, { title: 'Refunds', releaseId: release.id }),
  'an issue is done': async ({ service, world, ada, project, release }) => {
    const { ports } = service;
    const { rows } = await ports.stores.issues.page(
      { projectId: project.id, releaseId: release.id },
      { limit: 1, after: null },
    );
    const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id };
    return editIssue(ports, { ...at, issueId: rows[0]?.id ?? '', edit: { state: 'done' }, version: null });
  },
  'the policy changes': async ({ service, world, ada, project }) => {
    const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id };
    return changePolicy(service.ports, { ...at, policy: { ...DEFAULT_POLICY, threshold: 85 }, version: 1 });
  },
  'a reason is waived': ({ browser, inRelease, service }) =>
    browser.ok('waiveReason', {
      path: inRelease,
      body: {
        code: 'axis_below_minimum',
        axis: 'ops',
        text: 'Known.',
        expires_at: new Date(service.clock.read() + HOUR).toISOString(),
      },
    }),
  'the waiver expires': async ({ service }) => service.clock.pass(HOUR),
  'the checklist is ticked': ({ world, ada, project, release }) => world.tickAll(ada, project, release),
  'the project is renamed': async ({ service, world, ada, project }) => {
    const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id };
    return renameProject(service.ports, { ...at, name: 'basket', version: null });
  },
  'the release ships': ({ world, ada, project, release }) => world.ship(ada, project, release),
};

onEveryStore('the entity tag of readiness and gate', (open) => {
  const stage = useFreshStage(open);

  it('stays with the bytes while nothing changes, and costs its readers no body', async () => {
    const { pipeline, inProject, inRelease, service } = stage();
    await pipeline.ok('recordDeployment', { body: FINISHED });
    for (const id of ['readReadiness', 'readGate'] as const) {
      const first = await pipeline.ok(id, { path: inRelease });
      service.clock.pass(HOUR);
      const second = await pipeline.ok(id, { path: inRelease });
      expect([second.text, second.headers.etag]).to.deep.equal([first.text, first.headers.etag]);
      const headers = { 'if-none-match': first.headers.etag ?? '' };
      const third = await pipeline.ok(id, { path: inRelease, headers });
      expect([third.status, third.text, third.headers.etag]).to.deep.equal([304, '', first.headers.etag]);
    }
    const active = await pipeline.ok('readActiveReadiness', { path: inProject });
    const headers = { 'if-none-match': `"other", ${active.headers.etag}` };
    expect((await pipeline.ok('readActiveReadiness', { path: inProject, headers })).status).to.equal(304);
  });

  it('changes with every kind of change, and a reader who knows the old one gets the new', async () => {
    const { pipeline, inRelease, service } = stage();
    const seen = new Set<string>();
    let { headers } = await pipeline.ok('readReadiness', { path: inRelease });
    for (const [name, change] of Object.entries(CHANGES)) {
      seen.add(headers.etag ?? '');
      service.clock.pass(10);
      await change(stage());
      const conditional = { 'if-none-match': headers.etag ?? '' };
      const answer = await pipeline.ok('readReadiness', { path: inRelease, headers: conditional });
      expect(answer.status, name).to.equal(200);
      expect(seen.has(answer.headers.etag ?? ''), name).to.equal(false);
      headers = answer.headers;
    }
  });

  it('turns over at the very moment a test run becomes too old', async () => {
    const { pipeline, inProject, inRelease, service, world, ada, project } = stage();
    const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id };
    await changePolicy(service.ports, { ...at, policy: { ...DEFAULT_POLICY, freshnessHours: 1 }, version: 1 });
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const causeNow = async () => {
      const { data } = (await pipeline.ok('readReadiness', { path: inRelease })).body;
      const [, , , verification] = data.axes;
      return verification?.state === 'unmeasured' ? verification.cause : null;
    };
    service.clock.pass(HOUR);
    expect(await causeNow()).to.equal(null);
    service.clock.pass(1);
    expect(await causeNow()).to.equal('stale_test_run');
  });
});
