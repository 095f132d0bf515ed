import { type Operation, type OperationId, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { FINISHED } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

type Members = Readonly<Record<string, unknown>>;
type Id = Exclude<OperationId, 'setUp'>;

const TABLE: Readonly<Record<string, Operation>> = operations;
const propertiesOf = (id: Id): Members => TABLE[id]?.success.body?.properties?.data?.properties ?? {};
/** Every operation that changes a record, with the one that reads it at the same address. */
const PAIRS = (Object.keys(successes) as Id[]).flatMap((change) => {
  const { method, path, body } = TABLE[change] as Operation;
  if ((method !== 'PUT' && method !== 'PATCH') || body === undefined) return [];
  const read = (Object.keys(successes) as Id[]).find((id) => TABLE[id]?.method === 'GET' && TABLE[id].path === path);
  return read === undefined ? [] : [{ change, read, taken: body.properties ?? {} }];
});

describe('a record as it was answered', () => {
  const stage = useFreshStage();

  const readAt = async ({ browser }: Stage, read: Id, path: unknown): Promise<Members> =>
    ((await browser.ok(read, { path } as never)).body as { readonly data: Members }).data;
  const audited = async ({ browser, team }: Stage): Promise<number> =>
    (await browser.ok('listAuditEntries', { path: { team_id: team.id }, query: { limit: 200 } })).body.data.length;
  const sending = (path: unknown, { version }: Members, body: Members) => ({
    path,
    rawBody: JSON.stringify(body),
    headers: version === undefined ? {} : { 'if-match': `"${version}"` },
  });

  it('belongs to an operation that changes it, of which there are some', () => {
    expect(PAIRS.map(({ change }) => change)).to.include.members([
      'finishDeployment',
      'replacePolicy',
      'changeRelease',
      'changeIssue',
      'changeWebhook',
      'renameProject',
      'replaceChecklistTemplate',
      'replaceEventSources',
      'linkRepository',
    ]);
  });

  for (const { change, read, taken } of PAIRS) {
    it(`is taken back by ${change}, which changes nothing`, async () => {
      const { path } = (await successes[read](stage())) as { readonly path: unknown };
      const record = await readAt(stage(), read, path);
      const before = await audited(stage());
      const answer = await stage().browser.ok(change, sending(path, record, record) as never);
      expect((answer.body as { readonly data: unknown }).data).to.deep.equal(record);
      expect(await readAt(stage(), read, path)).to.deep.equal(record);
      expect(await audited(stage())).to.equal(before);
    });

    const readOnly = Object.keys(propertiesOf(read)).filter((name) => !(name in taken));
    if (readOnly.length > 0)
      it(`is refused by ${change} for each member that cannot be changed and is another one`, async () => {
        const { path } = (await successes[read](stage())) as { readonly path: unknown };
        const record = await readAt(stage(), read, path);
        const names = readOnly.filter((name) => name !== 'version');
        const other = { ...record, ...Object.fromEntries(names.map((name) => [name, { other: name }])) };
        const refusal = await stage().browser.refused(change, 'invalid', sending(path, record, other) as never);
        const errors = refusal.body.errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];
        expect(errors).to.include.members(names.map((name) => `/${name} read-only`));
        expect(await readAt(stage(), read, path)).to.deep.equal(record);
      });
  }

  it('may be sent with something changed: that alone is changed', async () => {
    const { browser, inRelease: path } = stage();
    const { data } = (await browser.ok('readRelease', { path })).body;
    const rawBody = JSON.stringify({ ...data, name: '2.5' });
    const changed = (await browser.ok('changeRelease', { path, rawBody } as never)).body.data;
    expect(changed).to.deep.equal({ ...data, name: '2.5', version: data.version + 1 });
  });

  it('is refused for an old version, and by the version alone where If-Match names it', async () => {
    const { browser, inRelease: path } = stage();
    const { data } = (await browser.ok('readRelease', { path })).body;
    await browser.ok('changeRelease', { path, body: { name: '2.5' } });
    const rawBody = JSON.stringify(data);
    const { errors = [] } = (await browser.refused('changeRelease', 'invalid', { path, rawBody } as never)).body;
    expect(errors.map(({ pointer, code }) => [pointer, code])).to.deep.equal([['/version', 'read-only']]);
    const headers = { 'if-match': `"${data.version}"` };
    await browser.refused('changeRelease', 'version-mismatch', { path, rawBody, headers } as never);
  });

  it('of a deployment that ended is taken back with what was never reported of it', async () => {
    const { pipeline } = stage();
    const { duration_seconds: _, ...body } = FINISHED;
    const { data } = (await pipeline.ok('recordDeployment', { body })).body;
    const path = { deployment_id: data.id };
    const record = (await pipeline.ok('readDeployment', { path })).body.data;
    expect(record.duration_seconds).to.equal(null);
    const rawBody = JSON.stringify(record);
    expect((await pipeline.ok('finishDeployment', { path, rawBody } as never)).body.data).to.deep.equal(record);
    const other = JSON.stringify({ ...record, environment: 'elsewhere', id: data.project_id });
    const { errors = [] } = (await pipeline.refused('finishDeployment', 'invalid', { path, rawBody: other } as never))
      .body;
    expect(errors.map(({ pointer }) => pointer)).to.deep.equal(['/id', '/environment']);
  });

  it('is no way to see what the caller may not change', async () => {
    const { world, service, team, inRelease: path, browser } = stage();
    const viewer = await world.person('Vera');
    await world.member(team, viewer, 'viewer');
    const { data } = (await browser.ok('readRelease', { path })).body;
    const rawBody = JSON.stringify(data);
    await service.signedIn(viewer).refused('changeRelease', 'forbidden', { path, rawBody } as never);
  });
});
