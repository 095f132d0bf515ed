import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL_SYSTEMS } from '@shipworthy/cli/snippet';
import { makeReady } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { EXAMPLE, folderOf } from './example.js';
import { SCRIPTS } from './lines.js';
import { HEAD, PIPELINES } from './pipeline-envs.js';

const FOLDER = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.resolve('@shipworthy/cli')));
const REPORT = '<testsuite><testcase classname="cart" name="adds"/></testsuite>';

describe('the snippets', () => {
  const services: Service[] = [];
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-snippets-'));
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const program = (name: string, text: string) => writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    // As npx does once the package is there.
    await program(
      'npx',
      `[ "$1 $2" = "--yes ${EXAMPLE.shipworthy}" ] || exit 9\nshift 2\nexec "${process.execPath}" "${MAIN}" "$@"`,
    );
    await program('npm', `mkdir -p reports && printf '%s' '${REPORT}' > reports/unit.xml`);
    await program('buildkite-agent', `[ "$*" = "secret get SHIPWORTHY_API_KEY" ] && echo "$VAULT"`);
  });
  after(async () => {
    for (const service of services) await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const system of ALL_SYSTEMS) {
    const text = () => readFileSync(join(FOLDER, folderOf(system), basename(system.path)), 'utf8');

    it(`of ${system.title} is what shipworthy init writes`, () => {
      expect(text(), 'node scripts/write-snippets.mjs writes it anew').to.equal(system.snippet(EXAMPLE));
    });

    /** Runs the file against a service of its own, whose gate says go or hold once the tests are recorded. */
    const runAgainst = async (decision: 'go' | 'hold') => {
      const service = await startService();
      services.push(service);
      const path = { team_id: service.teamId, project_id: service.projectId, release_id: service.releaseId };
      if (decision === 'go') await makeReady(service, EXAMPLE.app, path);
      const script = SCRIPTS[system.name]?.(text().replaceAll(EXAMPLE.apiUrl, service.url)) ?? '';
      expect(script.match(/npx --yes/g)).to.have.length(4);
      const work = join(folder, `${system.name} ${decision}`);
      await mkdir(work);
      await writeFile(join(work, 'deploy.sh'), '#!/bin/sh\necho deployed\n', { mode: 0o755 });
      // Buildkite's step fetches the key itself.
      const key = system.name === 'buildkite' ? { VAULT: service.key } : { SHIPWORTHY_API_KEY: service.key };
      const env = {
        ...{ PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: work },
        ...{ SHIPWORTHY_API_URL: service.url, SHIPWORTHY_APP: EXAMPLE.app },
        ...{ ...PIPELINES[system.name]?.env, ...key },
      };
      const child = spawn('sh', ['-e', '-c', script], { cwd: work, env });
      let log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          log += chunk;
        });
      const [exit] = await once(child, 'close');
      expect(log).not.to.contain(service.key);
      const [tests] = (await service.person.listTestRuns({ path })).body.data;
      expect(tests).to.include({ total: 1, passed: 1, commit_sha: HEAD, url: PIPELINES[system.name]?.url });
      const deployments = (await service.person.listDeployments({ path })).body.data;
      return { exit, log, deployments: deployments.filter(({ url }) => url !== null) };
    };

    it(`of ${system.title} deploys nothing when the gate holds`, async () => {
      const { exit, log, deployments } = await runAgainst('hold');
      expect(exit, log).to.equal(3);
      expect(log)
        .to.match(/^hold$/m)
        .and.not.match(/^deployed$/m);
      expect(deployments).to.deep.equal([]);
    });

    it(`of ${system.title} deploys on go, records both reports and never prints the key`, async () => {
      const pipeline = PIPELINES[system.name];
      const { exit, log, deployments } = await runAgainst('go');
      expect(exit, log).to.equal(0);
      expect(log)
        .to.match(/^go$/m)
        .and.match(/^deployed$/m);
      const [deployment] = deployments;
      expect(deployment).to.include({ status: 'success', environment: 'production', commit_sha: HEAD });
      expect([deployment?.url, deployment?.deployed_by]).to.deep.equal([pipeline?.url, pipeline?.by]);
    });
  }

  it('are copied into the how-to unchanged', () => {
    const page = readFileSync(join(FOLDER, '..', '..', 'docs', 'how-to', 'use-in-ci.md'), 'utf8');
    const shown = [...page.matchAll(/^```\w+ snippet (\w+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name, text]);
    expect(shown).to.have.deep.members(ALL_SYSTEMS.map((system) => [system.name, system.snippet(EXAMPLE)]));
  });

  it('are known of every system', () => {
    const names = ALL_SYSTEMS.map(({ name }) => name);
    expect(Object.keys(SCRIPTS)).to.have.members(names);
    expect(Object.keys(PIPELINES)).to.have.members(names);
  });
});

describe('the snippets while npx cannot start the command', () => {
  // npm would ask twice more, after ten and sixty seconds.
  const REFUSING = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };
  const WARNING = 'warning: npx could not start shipworthy; nothing is recorded of this deployment.';
  const realNpx = execFileSync('sh', ['-c', 'command -v npx'], { encoding: 'utf8' }).trim();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-snippets-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const scriptOf = (system: (typeof ALL_SYSTEMS)[number]) =>
    SCRIPTS[system.name]?.(readFileSync(join(FOLDER, folderOf(system), basename(system.path)), 'utf8')) ?? '';
  const deployments = () => ALL_SYSTEMS.map((system) => /^if npx[\s\S]*?^fi$/m.exec(scriptOf(system))?.[0] ?? '');

  /** Runs lines with an npx of their own; the deployment notes each of its runs and ends as it is told. */
  const runWith = async (script: string, npx: string, deploymentExit = 0) => {
    const program = (name: string, text: string) =>
      writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    await program('npx', npx);
    await program('buildkite-agent', 'echo swk_0');
    await program(
      'deploy.sh',
      `echo deployed >> runs\n[ -z "$SHIPWORTHY_API_KEY" ] || echo with the key >> runs\nexit ${deploymentExit}`,
    );
    const env = {
      ...{ PATH: `${folder}:${process.env.PATH}`, HOME: folder, GITLAB_CI: 'true', CI_COMMIT_SHA: HEAD },
      SHIPWORTHY_API_KEY: 'swk_0',
    };
    const child = spawn('sh', ['-e', '-c', script], { cwd: folder, env: { ...env, ...REFUSING } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const [exit] = await once(child, 'close');
    const runs = await readFile(join(folder, 'runs'), 'utf8').catch(() => '');
    return { exit, out, err, runs: runs.split('\n').length - 1 };
  };
  const unlessFetched = (words: string) => `case "$*" in ${words}) exit 0 ;; esac\nexec "${realNpx}" "$@"`;
  const asFetched = `shift 2\nexec "${process.execPath}" "${MAIN}" "$@"`;

  for (const system of ALL_SYSTEMS) {
    it(`deploy on ${system.title} where the registry went away after the gate, and say so on stderr`, async () => {
      const { exit, out, err, runs } = await runWith(scriptOf(system), unlessFetched('*" tests run "* | *" gate"'));
      expect([exit, runs], err).to.deep.equal([0, 1]);
      expect(err).to.contain(WARNING).and.contain('ECONNREFUSED');
      expect(out).not.to.contain('warning');
    });

    it(`deploy nothing on ${system.title} where the gate cannot be asked without the registry`, async () => {
      const { exit, err, runs } = await runWith(scriptOf(system), unlessFetched('*" tests run "*'));
      expect(exit).to.be.a('number').and.not.equal(0);
      expect(runs).to.equal(0);
      expect(err).to.contain('ECONNREFUSED').and.not.contain(WARNING);
    });
  }

  it('are the same lines on every system', () => {
    const lines = deployments();
    expect(lines[0]).to.contain(' deploy run ');
    expect(new Set(lines).size).to.equal(1);
  });

  // 254 and 190 are what npm ends with where a file is missing and where it is refused.
  for (const code of [1, 2, 5, 126, 127, 130, 137, 143, 190, 254, 255]) {
    it(`deploy once where the deployment ends with ${code}, and end alike`, async () => {
      const [lines = ''] = deployments();
      const recorded = await runWith(lines, asFetched, code);
      expect([recorded.exit, recorded.runs], recorded.err).to.deep.equal([code, 1]);
      expect(recorded.err).not.to.contain(WARNING);
      await rm(join(folder, 'runs'));
      const without = await runWith(lines, 'exit 1', code);
      expect([without.exit, without.runs], without.err).to.deep.equal([code, 1]);
    });

    it(`do not deploy in its place where npx begins and ends with ${code}: it may have deployed`, async () => {
      const [lines = ''] = deployments();
      const { exit, runs } = await runWith(lines, `case "$*" in *--version) exit 0 ;; esac\nexit ${code}`);
      expect([exit, runs]).to.deep.equal([code, 0]);
    });
  }
});
