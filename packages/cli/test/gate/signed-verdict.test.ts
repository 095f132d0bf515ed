import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@shipworthy/client';
import { verifyVerdict } from '@shipworthy/client/verify';
import { expect } from 'chai';
import { Failure } from '../../src/failure.js';
import { requireCommit } from '../../src/gate/signed-verdict.js';
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

  describe('in a repository of others', () => {
    let outside: string;
    beforeEach(async () => {
      outside = await mkdtemp(join(tmpdir(), 'shipworthy-outside-'));
      await writeFile(join(outside, 'profile'), 'mine\n');
      await mkdir(join(world.folder, '.git'));
    });
    afterEach(() => rm(outside, { recursive: true }));

    it('writes nothing through a link that leads out of it', async () => {
      const inner = join(world.folder, 'inner');
      await mkdir(join(inner, '.git'), { recursive: true });
      await mkdir(join(outside, '.git'));
      await symlink(join(outside, 'profile'), join(world.folder, 'verdict.json'));
      await symlink(join(outside, 'new'), join(world.folder, 'dangling.json'));
      await symlink(outside, join(world.folder, 'out'));
      await symlink('../verdict.json', join(inner, 'verdict.json'));
      await symlink('.git', join(world.folder, 'git'));
      const before = await readdir(outside);
      for (const [file, folder] of [
        ['verdict.json', world.folder],
        ['./inner/../verdict.json', world.folder],
        [join(world.folder, 'verdict.json'), outside],
        ['dangling.json', world.folder],
        ['out/profile', world.folder],
        ['out/.git/hooks', world.folder],
        ['../verdict.json', inner],
        ['inner/verdict.json', world.folder],
        ['git/hooks', world.folder],
      ] as const) {
        const { exit, err } = await runIn({ ...world, folder }, 'gate', '--signed', file);
        expect(exit, file).to.equal(2);
        expect(err, file).to.contain('symbolic link');
      }
      expect(await readFile(join(outside, 'profile'), 'utf8')).to.equal('mine\n');
      expect(await readdir(outside)).to.deep.equal(before);
    });

    it('writes no further name of a file elsewhere', async () => {
      await link(join(outside, 'profile'), join(world.folder, 'verdict.json'));
      expect((await runIn(world, 'gate', '--signed', 'verdict.json')).exit).to.equal(0);
      expect(await written()).to.have.property('payload');
      expect(await readFile(join(outside, 'profile'), 'utf8')).to.equal('mine\n');
    });

    it('writes where the person says, links of the own included', async () => {
      await writeFile(join(world.folder, 'kept.json'), '');
      await symlink('kept.json', join(world.folder, 'verdict.json'));
      expect((await runIn(world, 'gate', '--signed', 'verdict.json')).exit).to.equal(0);
      expect(JSON.parse(await readFile(join(world.folder, 'kept.json'), 'utf8'))).to.have.property('payload');
      await symlink(join(outside, 'profile'), join(outside, 'latest'));
      expect((await runIn(world, 'gate', '--signed', join(outside, 'latest'))).exit).to.equal(0);
      expect(JSON.parse(await readFile(join(outside, 'profile'), 'utf8'))).to.have.property('payload');
    });
  });

  it('ends with 5 when the verdict is about another commit', async () => {
    const { exit, err, out } = await runIn(world, 'gate', '--signed', 'verdict.json', '--commit', 'a'.repeat(40));
    expect([exit, out]).to.deep.equal([5, '']);
    expect(err).to.contain(`about commit ${COMMIT}, not about ${'a'.repeat(40)}`);
  });

  it('ends with 5 when another or an unknown commit was tested', async () => {
    const other = 'b'.repeat(40);
    const gate = async () => runIn(world, 'gate', '--signed', 'verdict.json', '--commit', COMMIT);
    const run = { suite: 'unit', total: 10, passed: 10, failed: 0 };
    await service.person.recordTestRun({ path, body: { ...run, commit_sha: other } });
    const another = await gate();
    expect([another.exit, another.out]).to.deep.equal([5, '']);
    expect(another.err).to.contain(
      `its test runs are of ${other}, its newest deployment is of ${COMMIT}; not about ${COMMIT}`,
    );
    await service.person.recordTestRun({ path, body: run });
    const unnamed = await gate();
    expect(unnamed.exit).to.equal(5);
    expect(unnamed.err).to.contain('its test runs name no commit, or several');
  });

  it('does not take the word of an earlier server, which names what was deployed, whichever commit was tested', async () => {
    const { body: keys } = await createClient({ baseUrl: service.url }).readVerdictKeys({});
    await runIn(world, 'gate', '--signed', 'verdict.json');
    const { keyid, statement } = await verifyVerdict(await written(), keys);
    const { evidence_commits: _, ...earlier } = statement.predicate;
    const of = (commit_sha: string | null) => {
      const { facts } = earlier;
      const verification = facts.verification && { ...facts.verification, commit_sha };
      const predicate = { ...earlier, facts: { ...facts, verification } };
      return { verified: { keyid, statement: { ...statement, predicate } } };
    };
    requireCommit(of(COMMIT), COMMIT);
    for (const tested of ['b'.repeat(40), null])
      expect(() => requireCommit(of(tested), COMMIT), String(tested)).to.throw(Failure, 'about no single commit');
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

  it('ends with 5 upon answers of another time, which something on the way keeps', async () => {
    const answers = new Map<string, { readonly text: string; readonly status: number }>();
    const asked: (string | null)[] = [];
    const keeping: typeof fetch = async (input, init) => {
      asked.push(new Headers(init?.headers).get('cache-control'));
      const url = String(input);
      if (!answers.has(url)) {
        const response = await fetch(input, init);
        answers.set(url, { text: await response.text(), status: response.status });
      }
      const { text = '', status = 500 } = answers.get(url) ?? {};
      return new Response(text, { status, headers: { 'content-type': 'application/json' } });
    };
    const kept = { ...world, fetch: keeping };
    expect((await runIn(kept, 'gate', '--signed', 'verdict.json')).exit).to.equal(0);
    expect(new Set(asked)).to.deep.equal(new Set(['no-cache']));
    await openCriticalBug(service, path);
    await rm(join(world.folder, 'verdict.json'));
    for (const minutes of [16, -16]) {
      const later = { ...kept, now: () => Date.now() + minutes * 60_000 };
      const { exit, err } = await runIn(later, 'gate', '--signed', 'verdict.json', '--on-unavailable', 'go');
      expect(exit, err).to.equal(5);
      expect(err).to.contain('The verdict was signed at 20').and.contain('keeps old answers');
    }
    expect(await readdir(world.folder)).not.to.include('verdict.json');
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
