import { expect } from 'chai';
import { makeReady, newProject, type ReleasePath, tickChecklist } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

describe('shipworthy score', () => {
  let service: Service;
  let world: StandIn;
  let name: string;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    ({ name, path } = await newProject(service));
    world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name },
    });
  });
  afterEach(() => world.remove());

  it('says the score with what it covers, and ends with 0 even when the gate holds', async () => {
    const { exit, out } = await runIn(world, 'score');
    expect(exit).to.equal(0);
    expect(out.split('\n').slice(0, 2)).to.deep.equal([`${name} 1.0: 0.0, 1 of 5 measured`, 'ship gate: hold']);
    expect(out).to.contain(`/releases/${path.release_id}\n`);
  });

  it('says that there is none where nothing is measured', async () => {
    const { body } = await service.person.listChecklist({ path });
    for (const { id } of body.data)
      await service.person.changeChecklistItem({
        path: { ...path, item_id: id },
        body: { state: 'not_applicable', reason: 'Texts only' },
      });
    const { out } = await runIn(world, 'score', '--explain');
    expect(out).to.contain('no score, 0 of 5 measured').and.contain('score = none');
    expect(out).to.match(/^not applicable: Rollback, marked by (.+) at \S+Z, confirmed by \1: Texts only$/m);
  });

  it('explains with the readings of the service', async () => {
    await tickChecklist(service, path);
    await makeReady(service, name, path);
    const { out } = await runIn(world, 'score', '--explain', '--release', path.release_id);
    expect(out)
      .to.match(/^scope +100\.0 +1 +1\/1 /m)
      .and.match(/^quality +100\.0 +1 +1\/1 /m);
    expect(out).to.contain('= 100, rounded down; shown as 100.0').and.contain('coverage = 5 / 5 = 1');
  });

  it('answers the very report of the service with --json', async () => {
    const { json } = await runIn(world, 'score', '--json', '--explain');
    expect(json().data).to.deep.equal((await service.person.readReadiness({ path })).body.data);
  });

  it('ends with 2, 4 and 5 as every command does', async () => {
    expect((await runIn(world, 'score', '--release', 'none')).exit).to.equal(2);
    expect((await runIn({ ...world, env: { SHIPWORTHY_API_URL: service.url } }, 'score')).exit).to.equal(4);
    const away = { ...world, env: { ...world.env, SHIPWORTHY_API_URL: 'http://127.0.0.1:9' } };
    expect((await runIn(away, 'score', '--timeout', '0.1')).exit).to.equal(5);
  });
});
