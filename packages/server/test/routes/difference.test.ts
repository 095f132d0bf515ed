import type { Difference } from '@shipworthy/client/contract';
import { issueEvents } from '@shipworthy/domain';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { pointMade } from '../harness/trend.js';

const MINUTE = 60_000;

/** A thousand imported issues and three hundred deployments; answers their ids. */
const moved = async ({ pipeline, service }: Stage, projectId: string, releaseId: string) => {
  const now = service.clock.read();
  const kind = { type: 'task', state: 'todo', severity: null, url: null, version: 1 } as const;
  const issues = Array.from({ length: 1_000 }, (_, index) => {
    const times = { createdAt: now, updatedAt: now };
    const own = { id: service.ports.newId(), externalId: `host:${index}`, title: `Issue ${index}` };
    return { ...kind, ...times, ...own, projectId, releaseId };
  });
  for (let start = 0; start < issues.length; start += 100) {
    const portion = issues.slice(start, start + 100);
    const changes = portion.map((issue) => ({
      before: null,
      issue,
      events: issueEvents(null, issue, now),
      wholeHistory: true,
    }));
    await service.ports.stores.issues.import(changes);
  }
  const reports = Array.from({ length: 300 }, () => FINISHED);
  const { data } = (await pipeline.ok('importDeployments', { rawBody: JSON.stringify(reports) })).body;
  return [...issues.map(({ id }) => id), ...data.map((outcome) => ('id' in outcome ? outcome.id : ''))];
};

onEveryStore('readDifference', (open) => {
  const stage = useFreshStage(open);
  const iso = (at: number) => new Date(at).toISOString();

  it('tells what changed since, down to the records, however new they are', async () => {
    const { ada, pipeline, inProject, inRelease: path, service, release } = stage();
    await pointMade(stage(), release.id);
    const from = iso(service.clock.read());
    service.clock.pass(MINUTE);
    const deployment = await pipeline.ok('recordDeployment', { body: { ...FINISHED, status: 'failure' } });
    const run = await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const at = iso(service.clock.read());
    service.clock.pass(MINUTE);
    const { data, ...head } = (await pipeline.ok('readDifference', { path, query: { from } })).body;
    expect([head.from.score, head.from.coverage, head.from.decision]).to.deep.equal([0, 0.2, 'hold']);
    expect([head.to.as_of, head.to.coverage, head.to.decision]).to.deep.equal([at, 0.6, 'hold']);
    expect(head.axes.map(({ axis }) => axis)).to.deep.equal(['scope', 'quality', 'ops', 'verification', 'stability']);
    expect(head.axes[4]).to.deep.equal({
      axis: 'stability',
      before: { state: 'unmeasured', score: null },
      after: { state: 'measured', score: 0 },
    });
    expect(head.reasons.gone.map(({ code, axis }) => [code, axis])).to.deep.equal([
      ['axis_unmeasured', 'verification'],
      ['axis_unmeasured', 'stability'],
    ]);
    expect(head.reasons.come.map(({ code, axis }) => [code, axis])).to.deep.include([
      'axis_below_minimum',
      'stability',
    ]);
    const deployed = { what: ['finished'], axes: ['stability'], title: `${FINISHED.environment}, failure` };
    const tested = { what: ['recorded'], axes: ['verification'], title: `${RUN.passed} of ${RUN.total} passed` };
    const by = { kind: 'api_key', name: 'pipeline', user_id: ada.user.id };
    expect(data).to.deep.equal([
      { kind: 'deployment', id: deployment.body.data.id, at, by, ...deployed },
      { kind: 'test_run', id: run.body.data.id, at, by, ...tested },
    ]);
    expect([head.record_count, head.next_cursor]).to.deep.equal([2, null]);
    const none = await pipeline.ok('readDifference', { path, query: { from, to: from } });
    expect(none.body).to.deep.include({ data: [], record_count: 0, reasons: { gone: [], come: [] } });
    expect(none.body.to).to.deep.equal(none.body.from);
  });

  it('names every issue of an import and every deployment page by page, with the same head on each', async () => {
    const { pipeline, inRelease: path, service, project, release } = stage();
    await pointMade(stage(), release.id);
    const from = iso(service.clock.read());
    service.clock.pass(MINUTE);
    const made = await moved(stage(), project.id, release.id);
    service.clock.pass(MINUTE);
    await pointMade(stage(), made[0] ?? '');
    const query = { from, limit: 200 };
    const first = await pipeline.ok('readDifference', { path, query });
    expect(first.headers.link).to.match(/cursor=.*; rel="next"$/);
    const named = first.body.data.map(({ id }) => id);
    let cursor = first.body.next_cursor;
    while (cursor !== null) {
      // The clock goes on: `to` stays what it was on the first page.
      service.clock.pass(MINUTE);
      const { data, next_cursor, ...head } = (
        await pipeline.ok('readDifference', { path, query: { ...query, cursor } })
      ).body;
      expect({ ...first.body, data: [], next_cursor: null }).to.deep.equal({ ...head, data: [], next_cursor: null });
      named.push(...data.map(({ id }) => id));
      cursor = next_cursor;
    }
    expect(first.body.record_count).to.equal(1_300);
    expect(named.sort()).to.deep.equal([...made].sort());
    const cut = { from: iso(service.clock.read()), cursor: first.body.next_cursor ?? '' };
    await pipeline.refused('readDifference', 'invalid', { path, query: cut });
  });

  it('is exported as CSV, every record in the order of the list, under the same query', async () => {
    const { pipeline, inRelease: path, service, project, release } = stage();
    await pointMade(stage(), release.id);
    const from = iso(service.clock.read());
    service.clock.pass(MINUTE);
    await moved(stage(), project.id, release.id);
    service.clock.pass(MINUTE);
    const named: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { from, limit: 200, ...(cursor === null ? {} : { cursor }) };
      const page: Difference = (await pipeline.ok('readDifference', { path, query })).body;
      named.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    const { headers, text } = await pipeline.ok('exportDifference', { path, query: { from } });
    expect(headers['content-disposition']).to.equal('attachment; filename="difference.csv"');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).to.equal('at,kind,title,what,axes,by,by_kind,id,user_id');
    expect(lines.map((line) => named.find((id) => line.includes(id)))).to.deep.equal(named);
    expect(lines).to.have.length(1_300);
    const none = await pipeline.ok('exportDifference', { path, query: { from, to: from } });
    expect(none.text).to.equal(`${head}\r\n`);
    for (const query of [{ from: iso(service.clock.read() + MINUTE) }, { from: iso(service.clock.read()), to: from }])
      await pipeline.refused('exportDifference', 'invalid', { path, query });
    await pipeline.refused('exportDifference', 'not-found', { path, query: { from: iso(0) } });
  });

  it('is exported with who moved it and what became of it, formulas made harmless', async () => {
    const { ada, browser, pipeline, inRelease: path, service, release } = stage();
    await pointMade(stage(), release.id);
    const from = iso(service.clock.read());
    service.clock.pass(MINUTE);
    const added = (await browser.ok('addChecklistItem', { path, body: { title: '=Support' } })).body.data;
    const at = iso(service.clock.read());
    service.clock.pass(MINUTE);
    await browser.ok('shipRelease', { path, body: {} });
    const { text } = await pipeline.ok('exportDifference', { path, query: { from } });
    expect(text.split('\r\n').slice(1)).to.deep.equal([
      `"${at}","checklist_item","'=Support","added","ops","Ada","person","${added.id}","${ada.user.id}"`,
      `"${iso(service.clock.read())}","release",,"shipped","stability","Ada","person","${release.id}","${ada.user.id}"`,
      '',
    ]);
  });

  it('leaves out the title of what says nothing by one', async () => {
    const { ada, browser, pipeline, inRelease: path, service, release } = stage();
    await pointMade(stage(), release.id);
    const from = iso(service.clock.read());
    service.clock.pass(MINUTE);
    await browser.ok('shipRelease', { path, body: {} });
    const { data } = (await pipeline.ok('readDifference', { path, query: { from } })).body;
    const by = { kind: 'person', name: 'Ada', user_id: ada.user.id };
    const shipped = { kind: 'release', id: release.id, at: iso(service.clock.read()), by };
    expect(data).to.deep.equal([{ ...shipped, what: ['shipped'], axes: ['stability'] }]);
  });

  it('names people who left and keys that are revoked, and never the secret of a key', async () => {
    const { browser, pipeline, inProject, inRelease: path, service, release, world, team } = stage();
    const ben = await world.person('Ben');
    await world.member(team, ben, 'member');
    await pointMade(stage(), release.id);
    const from = iso(service.clock.read());
    service.clock.pass(MINUTE);
    const signedIn = service.signedIn(ben);
    const body = { title: 'Refunds', type: 'task', state: 'todo', release_id: release.id } as const;
    await signedIn.ok('createIssue', { path: inProject, body });
    const scopes = ['test-runs:write'] as const;
    const made = (await signedIn.ok('createApiKey', { body: { name: 'nightly', scopes, team_id: team.id } })).body.data;
    await service.withKey(made.key).ok('recordTestRun', { path: inProject, body: RUN });
    await signedIn.ok('revokeApiKey', { path: { api_key_id: made.id } });
    await browser.ok('removeMember', { path: { team_id: team.id, user_id: ben.user.id } });
    await pointMade(stage(), release.id);
    service.clock.pass(MINUTE);
    const difference = (await pipeline.ok('readDifference', { path, query: { from } })).body;
    const authors = [
      { kind: 'person', name: 'Ben', user_id: ben.user.id },
      { kind: 'api_key', name: 'nightly', user_id: ben.user.id },
    ];
    expect(difference.data.map(({ by }) => by)).to.deep.equal(authors);
    const trend = (await pipeline.ok('listHistory', { path })).body;
    expect(trend.data.at(-1)?.causes.map(({ by }) => by)).to.deep.equal(authors);
    for (const answer of [difference, trend]) expect(JSON.stringify(answer)).not.to.include(made.key);
  });

  it('needs moments that have come, in order', async () => {
    const { pipeline, inRelease: path, service } = stage();
    const now = service.clock.read();
    const pointers = async (query: Record<string, string>) => {
      const { body } = await pipeline.refused('readDifference', 'invalid', { path, query } as never);
      return (body.errors ?? []).map(({ pointer }) => pointer);
    };
    expect(await pointers({})).to.deep.equal(['from']);
    expect(await pointers({ from: iso(now + MINUTE) })).to.deep.equal(['from']);
    expect(await pointers({ from: iso(now), to: iso(now + MINUTE) })).to.deep.equal(['to']);
    expect(await pointers({ from: iso(now), to: iso(now - MINUTE) })).to.deep.equal(['to']);
    await pipeline.refused('readDifference', 'not-found', { path, query: { from: iso(now - MINUTE) } });
  });
});
