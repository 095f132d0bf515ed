import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

const DAY = 24 * 3_600_000;

onEveryStore('waivers', (open) => {
  const stage = useFreshStage(open);
  const request = (days = 1) => ({
    code: 'axis_below_minimum' as const,
    axis: 'ops' as const,
    text: 'Docs follow on Monday.',
    expires_at: new Date(stage().service.clock.read() + days * DAY).toISOString(),
  });

  it('accepts a reason that holds, marks it, and gives the decision with and without', async () => {
    const { browser, pipeline, inRelease, service } = stage();
    const { body } = await browser.ok('waiveReason', { path: inRelease, body: request() });
    expect(body.data).to.deep.equal({
      ...request(),
      id: body.data.id,
      actual: 0,
      created_by: 'Ada',
      created_at: new Date(service.clock.read()).toISOString(),
      withdrawn_at: null,
      withdrawn_by: null,
    });
    const { data } = (await pipeline.ok('readGate', { path: inRelease })).body;
    const waived = data.reasons.filter((reason) => reason.waived);
    expect(waived.map(({ code, axis }) => [code, axis])).to.deep.equal([['axis_below_minimum', 'ops']]);
    expect(data.waivers).to.deep.equal([body.data]);
    expect(data.decision_without_waivers).to.equal('hold');
    const score = { ...request(), code: 'score_below_threshold' as const, axis: undefined };
    const second = await browser.ok('waiveReason', { path: inRelease, rawBody: JSON.stringify(score) });
    expect(second.body.data).not.to.have.property('axis');
    const after = (await pipeline.ok('readGate', { path: inRelease })).body.data;
    expect([after.decision, after.decision_without_waivers]).to.deep.equal(['unknown', 'hold']);
  });

  it('refuses a reason that does not hold, or that never would', async () => {
    const { browser, inRelease } = stage();
    const refuse = (changes: object, type: 'invalid' | 'no-such-reason') =>
      browser.refused('waiveReason', type, {
        path: inRelease,
        rawBody: JSON.stringify({ ...request(), ...changes }),
      });
    await refuse({ code: 'open_critical_bugs', axis: undefined }, 'no-such-reason');
    await refuse({ axis: undefined }, 'no-such-reason');
    const { body } = await refuse(request(91), 'invalid');
    expect(body.errors).to.have.nested.property('[0].pointer', '/expires_at');
    await refuse({ expires_at: '2026-11-20T12:00:00Z' }, 'invalid');
    await refuse({ code: 'rain', actual: 3 }, 'invalid');
  });

  it('refuses a reason that is worse than the one that was seen, and answers the present one', async () => {
    const { browser, pipeline, inRelease, inProject } = stage();
    const bug = { title: 'Crash', type: 'bug', severity: 'critical', state: 'todo' } as const;
    const body = { ...bug, release_id: inRelease.release_id };
    for (let bugs = 0; bugs < 2; bugs += 1) await browser.ok('createIssue', { path: inProject, body });
    const { axis: _, ...asked } = { ...request(), code: 'open_critical_bugs' as const };
    const waive = { path: inRelease, body: { ...asked, actual: 1 } };
    const refusal = await browser.refused('waiveReason', 'reason-worse', waive);
    expect([refusal.status, refusal.body.detail]).to.deep.equal([
      409,
      'It is worse now: 2 critical bugs open, at most 0 allowed.',
    ]);
    const { reasons } = (await pipeline.ok('readGate', { path: inRelease })).body.data;
    const present = reasons.find(({ code }) => code === 'open_critical_bugs');
    expect(present).to.include({ actual: 2, waived: false });
    expect(refusal.body.current).to.deep.equal(present);
    expect((await browser.ok('listWaivers', { path: inRelease })).body.data).to.deep.equal([]);
    for (const actual of [2, 5]) {
      const { data } = (await browser.ok('waiveReason', { path: inRelease, body: { ...asked, actual } })).body;
      expect(data.actual).to.equal(2);
    }
    await browser.ok('waiveReason', { path: inRelease, body: asked });
    const unmeasured = { ...request(), code: 'axis_unmeasured' as const, axis: 'stability' as const };
    await browser.refused('waiveReason', 'reason-worse', { path: inRelease, body: { ...unmeasured, actual: 0 } });
    await browser.ok('waiveReason', { path: inRelease, body: { ...unmeasured, actual: null } });
  });

  it('lists them oldest first and keeps the withdrawn ones', async () => {
    const { browser, pipeline, inRelease, service } = stage();
    const first = await browser.ok('waiveReason', { path: inRelease, body: request() });
    service.clock.pass(1000);
    const second = await browser.ok('waiveReason', { path: inRelease, body: request(2) });
    const path = { ...inRelease, waiver_id: first.body.data.id };
    expect((await browser.ok('withdrawWaiver', { path })).status).to.equal(204);
    expect((await browser.ok('withdrawWaiver', { path })).status).to.equal(204);
    const { data } = (await pipeline.ok('listWaivers', { path: inRelease })).body;
    const withdrawn_at = new Date(service.clock.read()).toISOString();
    expect(data).to.deep.equal([{ ...first.body.data, withdrawn_at, withdrawn_by: 'Ada' }, second.body.data]);
    await browser.refused('withdrawWaiver', 'not-found', { path: { ...path, waiver_id: inRelease.release_id } });
  });

  it('lists and exports those in one state', async () => {
    const { browser, pipeline, inRelease: path, service } = stage();
    const waive = async (days: number, text: string) => {
      service.clock.pass(1000);
      return (await browser.ok('waiveReason', { path, body: { ...request(days), text } })).body.data;
    };
    const expired = await waive(1, 'one day');
    const withdrawn = await waive(1, 'withdrawn');
    const active = await waive(3, '=three days');
    await browser.ok('withdrawWaiver', { path: { ...path, waiver_id: withdrawn.id } });
    service.clock.pass(2 * DAY);
    const ids = async (query: object) =>
      (await pipeline.ok('listWaivers', { path, query })).body.data.map(({ id }) => id);
    expect(await ids({})).to.deep.equal([expired.id, withdrawn.id, active.id]);
    expect(await ids({ state: 'active' })).to.deep.equal([active.id]);
    expect(await ids({ state: 'expired' })).to.deep.equal([expired.id]);
    expect(await ids({ state: 'withdrawn' })).to.deep.equal([withdrawn.id]);
    await pipeline.refused('listWaivers', 'invalid', { path, rawQuery: 'state=over' });
    const { text, headers } = await pipeline.ok('exportWaivers', { path, query: { state: 'active' } });
    expect(headers['content-disposition']).to.equal('attachment; filename="waivers.csv"');
    expect(text.split('\r\n')).to.deep.equal([
      'code,axis,text,actual,state,created_by,created_at,expires_at,withdrawn_by,withdrawn_at,id',
      `"axis_below_minimum","ops","'=three days",0,"active","Ada","${active.created_at}","${active.expires_at}",,,"${active.id}"`,
      '',
    ]);
    expect((await pipeline.ok('exportWaivers', { path })).text.split('\r\n')).to.have.length(5);
  });

  it('makes one waiver of a repeated request', async () => {
    const { browser, inRelease } = stage();
    const sent = { path: inRelease, body: request(), headers: { 'idempotency-key': 'waiver-1' } };
    const first = await browser.ok('waiveReason', sent);
    const again = await browser.ok('waiveReason', sent);
    expect(again.text).to.equal(first.text);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    const { data } = (await browser.ok('listWaivers', { path: inRelease })).body;
    expect(data).to.have.length(1);
  });

  it('leaves a closed release alone', async () => {
    const { browser, inRelease, world, ada, project, release } = stage();
    const { body } = await browser.ok('waiveReason', { path: inRelease, body: request() });
    await world.ship(ada, project, release);
    await browser.refused('waiveReason', 'release-closed', { path: inRelease, body: request() });
    await browser.refused('withdrawWaiver', 'release-closed', { path: { ...inRelease, waiver_id: body.data.id } });
  });
});
