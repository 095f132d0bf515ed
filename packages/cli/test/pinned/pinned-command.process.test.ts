import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Installed, runProgram } from '../installed.js';
import { converseWith } from '../mcp/conversation.js';
import { type Front, startFront } from '../service/front.js';
import { makeReady, newProject, openCriticalBug, type ReleasePath, tickChecklist } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { widenedText } from '../service/widened.js';
import { installPinned, PINNED_VERSION } from './packed.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const DEPLOYMENT = ['--env', 'production', '--commit', COMMIT] as const;
const REPORT = '<testsuite><testcase classname="cart" name="adds"/></testsuite>';
const PAST = `environment,commit_sha,status,started_at\nproduction,${COMMIT},success,2026-01-05T09:30:00Z\n`;

const widen: Parameters<Front['change']>[0] = (_, { body, ...answer }) => ({
  ...answer,
  body: widenedText(answer.contentType, body),
});

describe(`the pinned command ${PINNED_VERSION}`, () => {
  let service: Service;
  let installed: Installed;
  let main: string;
  before(async () => {
    installed = await installPinned('command');
    main = join(installed.folder, 'node_modules/shipworthy/dist/bundle/main.js');
    await writeFile(join(installed.folder, 'report.xml'), REPORT);
    await writeFile(join(installed.folder, 'past.csv'), PAST);
    service = await startService();
  });
  after(async () => {
    await installed.remove();
    await service.stop();
  });

  for (const [server, change] of [
    ['this server', undefined],
    ['a later server, whose answers hold more', widen],
  ] as const)
    describe(`against ${server}`, () => {
      let front: Front;
      let name: string;
      let path: ReleasePath;
      const asServer = () => front.change(change ?? ((_, answer) => answer));
      before(async () => {
        front = await startFront(service.url);
        asServer();
      });
      after(() => front.stop());
      beforeEach(async () => {
        ({ name, path } = await newProject(service));
      });
      const env = () => ({
        PATH: process.env.PATH,
        HOME: installed.folder,
        SHIPWORTHY_API_URL: front.url,
        SHIPWORTHY_API_KEY: service.key,
        SHIPWORTHY_APP: name,
      });
      const run = async (...argv: readonly string[]) => {
        const ended = await runProgram(installed.folder, env(), process.execPath, main, ...argv);
        expect(ended.out + ended.err, argv.join(' ')).not.to.match(/undefined|\[object|NaN|unexpected error/);
        return ended;
      };
      const well = async (...argv: readonly string[]): Promise<string> => {
        const { exit, out, err } = await run(...argv);
        expect(exit, `${argv.join(' ')}: ${err}`).to.equal(0);
        return out;
      };

      it('obeys the gate, explains the score and asks what if', async () => {
        await tickChecklist(service, path);
        expect((await run('gate')).exit).to.equal(5);
        await makeReady(service, name, path);
        expect(await well('gate')).to.match(/^go\n/);
        await well('gate', '--signed', 'verdict.json', '--commit', COMMIT);
        expect(await well('score', '--from', 'verdict.json')).to.contain('ship gate: go');
        expect(await well('score', '--explain')).to.match(/^scope +100\.0/m);
        await openCriticalBug(service, path);
        expect((await run('gate')).exit).to.equal(3);
        expect((await run('gate', '--wait', '50ms')).exit).to.equal(8);
        expect(await well('what-if', '--set', 'scope.done=1')).to.match(/^after: /m);
      });

      it('reports deployments and tests, and sends what was kept', async () => {
        await well('deploy', 'run', ...DEPLOYMENT, '--strict-report', '--', process.execPath, '--version');
        const id = (await well('deploy', 'start', ...DEPLOYMENT, '--strict-report')).trim();
        await well('deploy', 'finish', id, '--status', 'failure', '--strict-report');
        await well('tests', 'record', 'report.xml', '--strict-report');
        front.change(() => ({ status: 503, contentType: 'text/html', body: 'away' }));
        await well('tests', 'record', 'report.xml', '--timeout', '0.5');
        asServer();
        const { data } = JSON.parse(await well('--json', 'flush'));
        expect(data.sent).to.have.length(1);
        const { body: deployments } = await service.person.listDeployments({ path });
        expect(deployments.data.map(({ status }) => status).sort()).to.deep.equal(['failure', 'success']);
        expect((await service.person.listTestRuns({ path })).body.data).to.have.length(2);
      });

      it('imports the past, and lists what there is', async () => {
        expect(await well('import', 'deployments', 'past.csv')).to.contain('1 created');
        expect(await well('teams')).to.contain(name);
        expect(await well('releases')).to.match(/1\.0 +active/);
        expect(await well('whoami')).to.contain('deployments:write');
      });

      it('answers coding agents', async () => {
        const given = Object.fromEntries(Object.entries(env()).map(([key, value]) => [key, value ?? '']));
        const talk = await converseWith(main, installed.folder, given);
        for (const [tool, args] of [
          ['get_gate', {}],
          ['get_scorecard', {}],
          ['list_projects', {}],
          ['list_releases', {}],
          ['get_axis_rows', { axis: 'ops' }],
        ] as const) {
          const said = await talk.ask(tool, args);
          expect(said.isError, said.text).to.equal(false);
          expect(said.text)
            .to.contain(name)
            .and.not.match(/undefined|\[object/);
        }
        expect(await talk.end()).to.equal('');
      });
    });
});
