import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@shipworthy/client';
import { verifyVerdict } from '@shipworthy/client/verify';
import { expect } from 'chai';
import { makeReady, newProject, openCriticalBug, type ReleasePath } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

describe('shipworthy gate --signed', () => {
  let service: Service;
  let world: StandIn;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    const project = await newProject(service);
    path = project.path;
    await makeReady(service, project.name, path);
    world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: project.name },
    });
  });
  afterEach(() => world.remove());
  const written = async () => JSON.parse(await readFile(join(world.folder, 'verdict.json'), 'utf8'));

  it('writes a verdict that anybody can verify, and that says what the exit code says', async () => {
    const { exit, err } = await runIn(world, 'gate', '--signed', 'verdict.json', '--commit', COMMIT.slice(0, 12));
    expect(exit).to.equal(0);
    expect(err).to.contain('verified');
    const { body: keys } = await createClient({ baseUrl: service.url }).readVerdictKeys({});
    const { statement } = await verifyVerdict(await written(), keys);
    expect(statement.predicate.result.decision).to.equal('go');
    expect(statement.subject[0]?.digest).to.deep.equal({ gitCommit: COMMIT });
  });

  it('writes one that holds, too', async () => {
    await openCriticalBug(service, path);
    expect((await runIn(world, 'gate', '--signed', 'verdict.json')).exit).to.equal(3);
    expect(await written()).to.have.property('payload');
  });

  it('ends with 5 when the verdict is about another commit', async () => {
    const { exit, err, out } = await runIn(world, 'gate', '--signed', 'verdict.json', '--commit', 'a'.repeat(40));
    expect([exit, out]).to.deep.equal([5, '']);
    expect(err).to.contain(`about commit ${COMMIT}, not about ${'a'.repeat(40)}`);
  });

  it('ends with 5 when the verdict is forged, or is about another release', async () => {
    for (const forge of [
      (body: string) => body.replace(/"sig":"..../, '"sig":"AAAA'),
      (body: string) => body.replace(/,"verdict":.*/, '}'),
    ]) {
      const forging: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        if (!String(input).includes('signed=true')) return response;
        return new Response(forge(await response.text()), response);
      };
      const { exit, err } = await runIn(
        { ...world, fetch: forging },
        'gate',
        '--signed',
        'v',
        '--on-unavailable',
        'go',
      );
      expect(exit).to.equal(5);
      expect(err).to.contain('Do not deploy by this verdict.');
    }
  });

  it('asks again when the release changed between the report and its verdict', async () => {
    let changed = false;
    const changing: typeof fetch = async (input, init) => {
      if (String(input).includes('signed=true') && !changed) {
        changed = true;
        await openCriticalBug(service, path);
      }
      return fetch(input, init);
    };
    const { exit, out } = await runIn({ ...world, fetch: changing }, 'gate', '--signed', 'verdict.json');
    expect([exit, out.split('\n')[0]]).to.deep.equal([3, 'hold']);
  });

  it('ends with 2 where nothing can be written, and writes nothing in a dry run', async () => {
    expect((await runIn(world, 'gate', '--signed', 'no/such/folder/v.json')).exit).to.equal(2);
    expect((await runIn(world, 'gate', '--signed', 'verdict.json', '--dry-run')).exit).to.equal(0);
    await written().then(
      () => expect.fail('it was written'),
      (error: NodeJS.ErrnoException) => expect(error.code).to.equal('ENOENT'),
    );
  });
});
