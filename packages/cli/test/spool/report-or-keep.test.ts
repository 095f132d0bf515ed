import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Failure } from '../../src/failure.js';
import { type CommandSession, openCommandSession } from '../../src/session.js';
import type { SpoolEntry } from '../../src/spool/entry.js';
import { reportOrKeep } from '../../src/spool/report-or-keep.js';
import { spoolFolder } from '../../src/spool/spool.js';
import { type Service, startService } from '../service/service.js';
import { type StandIn, standIn } from '../stand-in.js';

describe('reportOrKeep', () => {
  let service: Service;
  let world: StandIn;
  let session: CommandSession;
  let answer: (() => Response) | undefined;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    answer = undefined;
    world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key },
      fetch: async (input, init) => answer?.() ?? globalThis.fetch(input, init),
    });
    session = openCommandSession(world, 'test', { timeout: 20, color: false });
  });
  afterEach(async () => {
    session.close();
    await world.remove();
  });

  const entry = (parts: object = {}): SpoolEntry => ({
    operation: 'recordTestRun',
    path: { team_id: service.teamId, project_id: service.projectId },
    body: { total: 2, passed: 2, failed: 0, ran_at: '2026-05-01T10:00:00.000Z', ...parts },
    idempotencyKey: 'run-1',
    address: service.url,
    madeAt: world.now(),
  });
  const report = async (strict: boolean, what = entry()) =>
    reportOrKeep(session, await session.connect(), what, strict);
  const failing = (strict: boolean, what = entry()) =>
    report(strict, what).then(
      () => expect.fail('it was reported'),
      (error: unknown) => (error instanceof Failure ? error.exit : expect.fail(String(error))),
    );
  const kept = () => {
    const folder = spoolFolder(world);
    return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  };
  const status =
    (code: number, type = 'unavailable') =>
    () =>
      Response.json(
        { type: `/api/docs/problems/${type}`, title: 'x', status: code, detail: 'x', instance: '/', request_id: 'r' },
        { status: code, headers: { 'content-type': 'application/problem+json' } },
      );

  it('sends a report once under its key, which is its external id too', async () => {
    const first = await report(false);
    expect(first).to.include({ outcome: 'sent', repeated: false });
    expect(await report(false)).to.include({ outcome: 'sent', repeated: true });
    const { body } = await service.person.listTestRuns({
      path: { team_id: service.teamId, project_id: service.projectId },
    });
    expect(body.data).to.have.length(1);
  });

  for (const [name, make] of [
    ['503', status(503)],
    ['500', status(500, 'internal')],
    ['429', status(429, 'too-many-requests')],
    ['a first request that is still under way', status(409, 'idempotency-key-in-use')],
    ['a page of something else', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    [
      'a cut connection',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ] as const)
    it(`keeps a report with its time and external id after ${name}, says so, and fails only when strict`, async () => {
      answer = make;
      const result = await report(false);
      expect(result.outcome).to.equal('kept');
      expect(world.err()).to.contain('warning:').and.contain('kept as kept:');
      expect(kept()).to.have.length(1);
      expect(kept()[0].body).to.include({ external_id: 'run-1', ran_at: '2026-05-01T10:00:00.000Z' });
      expect(await failing(true)).to.equal(5);
      expect(kept()).to.have.length(2);
    });

  it('keeps nothing that is refused', async () => {
    expect(await failing(false, entry({ total: 1 }))).to.equal(2);
    answer = status(401, 'unauthenticated');
    expect(await failing(false)).to.equal(4);
    expect(() => kept()).to.throw('ENOENT');
  });

  it('sends what was kept once a report arrives', async () => {
    answer = status(503);
    await report(false, { ...entry({ suite: 'kept' }), idempotencyKey: 'run-kept' });
    answer = undefined;
    await report(false, { ...entry({ suite: 'next' }), idempotencyKey: 'run-next' });
    expect(world.err()).to.contain('Sent 1 kept earlier.');
    expect(kept()).to.deep.equal([]);
  });
});
