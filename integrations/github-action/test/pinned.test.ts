import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Front, startFront } from '@shipworthy/cli/test-front';
import { installPinned, PINNED_VERSION } from '@shipworthy/cli/test-pinned';
import { makeReady, newProject, openCriticalBug, type ReleasePath } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { widenedText } from '@shipworthy/cli/test-widened';
import { expect } from 'chai';
import { Job } from './job.js';
import { REPORT } from './report.js';

type Installed = Awaited<ReturnType<typeof installPinned>>;

describe(`the pinned action ${PINNED_VERSION}`, () => {
  let service: Service;
  let installed: Installed;
  let front: Front;
  let job: Job;
  let path: ReleasePath;
  let given: Readonly<Record<string, string>>;
  before(async () => {
    installed = await installPinned('action');
    service = await startService();
    front = await startFront(service.url);
  });
  after(async () => {
    await front.stop();
    await service.stop();
    await installed.remove();
  });
  beforeEach(async () => {
    const project = await newProject(service);
    path = project.path;
    await makeReady(service, project.name, path);
    given = { 'api-url': front.url, 'api-key': service.key, app: project.name };
    job = await Job.start('push');
    job.action = join(installed.folder, 'node_modules/@shipworthy/github-action');
    await mkdir(join(job.workspace, 'reports'));
    await writeFile(join(job.workspace, 'reports', 'unit.xml'), REPORT);
  });
  afterEach(() => job.remove());

  for (const [server, text] of [
    ['this server', (_: string, body: string) => body],
    ['a later server, whose answers hold more', widenedText],
  ] as const)
    it(`asks the gate and reports to ${server}`, async () => {
      front.change((_, { body, ...answer }) => ({ ...answer, body: text(answer.contentType, body) }));
      const step = async (more: Readonly<Record<string, string>>) => {
        const ended = await job.step({ ...given, ...more });
        expect(ended.log).not.to.match(/undefined|\[object|unexpected error/);
        return ended;
      };
      const go = await step({ command: 'gate' });
      expect([go.exit, go.outputs.verdict], go.log).to.deep.equal([0, 'go']);
      const tests = await step({ command: 'tests', files: 'reports/*.xml' });
      expect([tests.exit, tests.outputs.report], tests.log).to.deep.equal([0, 'sent']);
      const deploy = await step({ command: 'deploy', environment: 'production', run: 'echo deployed' });
      expect([deploy.exit, deploy.outputs.report], deploy.log).to.deep.equal([0, 'sent']);
      const begun = await step({ command: 'deploy-start', environment: 'production' });
      expect([begun.exit, begun.outputs.report], begun.log).to.deep.equal([0, 'sent']);
      const closed = await begun.post();
      expect([closed.exit, closed.log.includes('was left open')], closed.log).to.deep.equal([0, true]);
      await openCriticalBug(service, path);
      const hold = await step({ command: 'gate' });
      expect([hold.exit, hold.outputs.verdict], hold.log).to.deep.equal([3, 'hold']);
    });
});
