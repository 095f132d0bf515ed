import { recordHistory } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import type { Caller } from '../harness/caller.js';
import { onEveryStore } from '../harness/openings.js';
import { POLICY } from '../harness/policy-request.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const MINUTE = 60_000;

/** A policy under which a release may ship as it is. */
const LENIENT = {
  ...POLICY,
  threshold: 0,
  minimums: { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 },
  required_axes: [],
};

/** Lets the gate of the release, which says hold, say go and then hold again, a minute apart. */
const changeTwice = async ({ service, browser, inProject: path }: Stage): Promise<void> => {
  const settle = () => recordHistory(service.ports, { limit: 100, leaseMs: MINUTE });
  await settle();
  for (const [index, body] of [LENIENT, POLICY].entries()) {
    service.clock.pass(MINUTE);
    await browser.ok('replacePolicy', { path, body, headers: { 'if-match': `"${index + 1}"` } });
    await settle();
  }
  service.clock.pass(MINUTE);
};

const gateChanges = async (caller: Caller, query: { readonly limit?: number; readonly cursor?: string } = {}) =>
  (await caller.ok('listGateChanges', { query })).body;

const read = (caller: Caller, read_up_to: string) => caller.ok('readGateChanges', { body: { read_up_to } });

onEveryStore('the changes of gates', (open) => {
  const stage = useFreshStage(open);

  it('are listed newest first with their first reason, page by page, and are unread until they are read', async () => {
    const { browser, ada, team, project, release } = stage();
    expect(await gateChanges(browser)).to.deep.include({ data: [], next_cursor: null, unread: 0 });
    await changeTwice(stage());
    const all = await gateChanges(browser);
    expect(all.unread).to.equal(2);
    expect(all.read_up_to).to.equal(new Date(ada.user.createdAt).toISOString());
    expect(all.data.map(({ before, after, unread }) => [before, after, unread])).to.deep.equal([
      ['go', 'hold', true],
      ['hold', 'go', true],
    ]);
    expect(all.data[1]?.reason).to.equal(null);
    expect(all.data[0]).to.deep.include({
      team_id: team.id,
      project: { id: project.id, name: 'checkout' },
      release: { id: release.id, name: '2.4' },
    });
    expect(all.data[0]?.reason).to.deep.include({ code: 'axis_below_minimum', axis: 'ops', waived: false });
    const first = await gateChanges(browser, { limit: 1 });
    expect(first).to.deep.include({ data: all.data.slice(0, 1), unread: 2 });
    const rest = await gateChanges(browser, { limit: 1, cursor: first.next_cursor ?? '' });
    expect(rest).to.deep.include({ data: all.data.slice(1), next_cursor: null, unread: 2 });
  });

  it('are exported as CSV, with what the person has not read', async () => {
    const { browser, pipeline, team, project, release } = stage();
    await changeTwice(stage());
    const { data } = await gateChanges(browser);
    await read(browser, data[1]?.noted_at ?? '');
    const { headers, text } = await browser.ok('exportGateChanges');
    expect(headers['content-disposition']).to.equal('attachment; filename="gate-changes.csv"');
    const ids = `"${team.id}","${project.id}","${release.id}"`;
    const lines = data.map(
      ({ id, at, noted_at, before, after, reason }, index) =>
        `"${at}","${noted_at}","checkout","2.4","${before}","${after}",${reason === null ? '' : `"${reason.message}"`},"${index === 0 ? 'yes' : 'no'}","${id}",${ids}\r\n`,
    );
    const head = 'at,noted_at,project,release,before,after,reason,unread,id,team_id,project_id,release_id';
    expect(text).to.equal(`${head}\r\n${lines.join('')}`);
    expect((await browser.ok('exportGateChanges', { query: { q: 'CHECK 2.4' } })).text).to.equal(text);
    expect((await browser.ok('exportGateChanges', { query: { q: '2.5' } })).text).to.equal(`${head}\r\n`);
    const found = await browser.ok('listGateChanges', { query: { q: '2.5' } });
    expect(found.body.data).to.deep.equal([]);
    expect(found.body.unread, 'of all, found or not').to.equal(1);
    await pipeline.refused('exportGateChanges', 'session-only');
  });

  it('are read by each person alone, up to one of them, to the last, or not at all again', async () => {
    const { service, world, browser, team } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'viewer');
    await changeTwice(stage());
    const before = await gateChanges(browser);
    const [newest, oldest] = before.data;
    await read(browser, oldest?.noted_at ?? '');
    const half = await gateChanges(browser);
    expect([half.unread, half.read_up_to]).to.deep.equal([1, oldest?.noted_at]);
    expect(half.data.map(({ unread }) => unread)).to.deep.equal([true, false]);
    await read(browser, newest?.noted_at ?? '');
    expect((await gateChanges(browser)).unread).to.equal(0);
    expect((await gateChanges(service.signedIn(bob))).unread).to.equal(2);
    await read(browser, before.read_up_to);
    expect((await gateChanges(browser)).unread).to.equal(2);
    await read(browser, '9999-01-01T00:00:00.000Z');
    expect((await gateChanges(browser)).read_up_to).to.equal(new Date(service.clock.read()).toISOString());
  });

  it('are those of teams in sight, of projects that are not archived, and for sessions only', async () => {
    const { service, world, browser, pipeline, inProject: path } = stage();
    const bob = await world.person('Bob');
    await changeTwice(stage());
    expect(await gateChanges(service.signedIn(bob))).to.deep.include({ data: [], unread: 0 });
    await pipeline.refused('listGateChanges', 'session-only');
    await pipeline.refused('readGateChanges', 'session-only', { body: { read_up_to: '2026-01-01T00:00:00Z' } });
    await browser.ok('archiveProject', { path });
    expect(await gateChanges(browser)).to.deep.include({ data: [], unread: 0 });
    await browser.ok('restoreProject', { path });
    expect((await gateChanges(browser)).data).to.have.length(2);
  });

  it('refuse what is no moment, and name every fault', async () => {
    const { browser } = stage();
    const pointers = async (body: object) => {
      const refused = await browser.refused('readGateChanges', 'invalid', { body } as never);
      return [...new Set((refused.body.errors ?? []).map(({ pointer }) => pointer))].sort();
    };
    expect(await pointers({})).to.deep.equal(['/read_up_to']);
    expect(await pointers({ read_up_to: 'yesterday', all: true })).to.deep.equal(['/all', '/read_up_to']);
    expect(await pointers({ read_up_to: null })).to.deep.equal(['/read_up_to']);
  });
});
