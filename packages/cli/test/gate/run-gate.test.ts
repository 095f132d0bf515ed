import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type ReadinessReport } from '@shipworthy/client';
import { verifyVerdict } from '@shipworthy/client/verify';
import { expect } from 'chai';
import { Failure } from '../../src/failure.js';
import { requireCommit } from '../../src/gate/run-gate.js';
import { makeReady, newProject, openCriticalBug, type ReleasePath, tickChecklist } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

describe('shipworthy gate', () => {
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
  afterEach(async () => {
    expect(world.out() + world.err()).not.to.contain(service.key);
    await world.remove();
  });
  const scorecard = () =>
    `${service.url}/teams/${path.team_id}/projects/${path.project_id}/releases/${path.release_id}`;

  it('ends with 5 while something required is unmeasured, with any --on-unavailable', async () => {
    await tickChecklist(service, path);
    for (const more of [[], ['--on-unavailable', 'go']]) {
      const { exit, out } = await runIn(world, 'gate', ...more);
      expect(exit).to.equal(5);
      expect(out.split('\n')).to.include('unknown').and.include('  Record a test run in which every test passes');
    }
  });

  it('ends with 0 and the word go when all is well', async () => {
    await makeReady(service, name, path);
    const { exit, out, err } = await runIn(world, 'gate');
    expect(exit).to.equal(0);
    expect(out).to.equal(`go\n${name} 1.0: 100.0, 5 of 5 measured\nscorecard: ${scorecard()}\n`);
    expect(err).to.equal('');
  });

  it('ends with 3 and says why and what to do when it holds', async () => {
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { exit, out } = await runIn(world, 'gate', '--release', '1.0');
    expect(exit).to.equal(3);
    const lines = out.split('\n');
    expect(lines.slice(0, 2)).to.deep.equal(['hold', `${name} 1.0: 70.0, 5 of 5 measured`]);
    expect(lines.filter((line) => line.startsWith('  because  '))).to.have.length(4);
    expect(lines).to.include('next steps').and.include(`scorecard: ${scorecard()}`);
    expect(lines.find((line) => line.includes('Resolve 1 critical bug'))).to.match(/\(\+30\.0\)$/);
  });

  it('says what is waived, by whom, and what would be without it', async () => {
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { gate } = (await service.person.readReadiness({ path })).body.data;
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    for (const { code, axis } of gate.reasons)
      if (code !== 'no_weights')
        await service.person.waiveReason({
          path,
          body: { code, ...(axis ? { axis } : {}), text: 'Known.', expires_at },
        });
    const { exit, out } = await runIn(world, 'gate');
    expect(exit).to.equal(0);
    expect(out)
      .to.match(/^go\nwith \d waivers; without them: hold\n/)
      .and.contain('without waivers: hold')
      .and.contain('  waived   ');
    expect(out).to.contain(`accepted by Ada until ${expires_at}: Known.`);
  });

  it('answers one document with --json', async () => {
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { exit, json } = await runIn(world, 'gate', '--json');
    expect(exit).to.equal(3);
    const { data } = json() as { data: Record<string, unknown> };
    expect(data).to.include({ decision: 'hold', decision_without_waivers: 'hold', score: 70, coverage: 1, exit: 3 });
    expect(data).to.include({ shadow: false, waited_in_vain: false, unavailable: null, scorecard: scorecard() });
    expect(data).to.deep.include({ axes: { measured: 5, of: 5 }, project: { id: path.project_id, name } });
    expect(Object.keys(data)).to.have.members(
      'decision reasons decision_without_waivers waivers next_steps score coverage axes project release as_of frozen_at scorecard unavailable unreadable exit shadow waited_in_vain'.split(
        ' ',
      ),
    );
  });

  it('ends with 0 in shadow, and says what it would have been', async () => {
    const { exit, out, err } = await runIn(world, 'gate', '--shadow');
    expect([exit, out.split('\n')[0]]).to.deep.equal([0, 'hold']);
    expect(err).to.contain('would be 3');
    expect((await runIn(world, 'gate', '--shadow', '--json')).json()).to.have.nested.property('data.exit', 3);
    expect((await runIn(world, 'gate', '--shadow', '--release', 'none')).exit).to.equal(2);
    const keyless = { ...world, env: { ...world.env, SHIPWORTHY_API_KEY: `swk_${'a'.repeat(36)}` } };
    expect((await runIn(keyless, 'gate', '--shadow')).exit).to.equal(4);
  });

  it('ends with 2 for a release that is not there and for what it does not understand', async () => {
    for (const argv of [
      ['--release', 'none'],
      ['--app', 'none'],
      ['--wait', 'soon'],
      ['--on-unavailable', 'perhaps'],
      ['--commit', 'abcdef0'],
      ['--signed', 'v.json', '--commit', 'no'],
    ])
      expect((await runIn(world, 'gate', '--on-unavailable', 'go', ...argv)).exit, argv.join(' ')).to.equal(2);
  });

  it('ends with 4 for a key that may not read, with any --on-unavailable', async () => {
    const key = await service.keyFor('deployments:write');
    const unfit = { ...world, env: { ...world.env, SHIPWORTHY_API_KEY: key } };
    const { exit, err } = await runIn(unfit, 'gate', '--on-unavailable', 'go');
    expect(exit).to.equal(4);
    expect(err).to.contain('read').and.not.contain(key);
  });
});

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

  it('asks again where the answer is of the same moment as the verdict, and says something else', async () => {
    let reads = 0;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await globalThis.fetch(input, init);
      if (!String(input).endsWith('/readiness')) return answer;
      reads += 1;
      if (reads > 1) return answer;
      const body = (await answer.json()) as { data: ReadinessReport };
      return Response.json({ data: { ...body.data, score: 99 } });
    };
    const { exit, out } = await runIn({ ...world, fetch }, 'gate', '--signed', 'verdict.json');
    expect([exit, reads, out.includes(': 100.0, ')], out).to.deep.equal([0, 2, true]);
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
        expect(err, file).to.contain(/git\/hooks$/.test(file) ? 'leads into .git' : 'symbolic link');
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

  it('refuses a verdict of an earlier server, which names the deployed commit, if another or no commit was tested', async () => {
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
