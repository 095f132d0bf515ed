import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeReady } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { parse } from 'yaml';
import { bundleAction } from './bundled.js';
import { Job } from './job.js';
import { REPORT } from './report.js';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
}

const PAGE = readFileSync(new URL('../../../../docs/how-to/use-in-ci.md', import.meta.url), 'utf8');
const blockOf = (about: string): string =>
  new RegExp(`^\`\`\`yaml ${about}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';

describe('how to use the action', () => {
  let service: Service;
  let job: Job;
  before(async () => {
    bundleAction();
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    job = await Job.start('push', { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_APP: 'checkout' });
    await mkdir(join(job.workspace, 'reports'));
    await writeFile(join(job.workspace, 'reports', 'unit.xml'), REPORT);
    await writeFile(join(job.workspace, 'deploy.sh'), '#!/bin/sh\necho deployed\n', { mode: 0o755 });
  });
  afterEach(() => job.remove());

  /** Runs the steps that use the action until one fails, with the two expressions filled in that they hand it. */
  const runSteps = async (steps: readonly Step[]) => {
    const outputs: Record<string, Readonly<Record<string, string>>> = {};
    for (const { id = '', uses = '', with: given = {} } of steps) {
      if (!uses.includes('github-action@')) continue;
      const filled = Object.entries(given).map(([name, value]) => [
        name,
        String(value)
          .replace(/\$\{\{ secrets\.SHIPWORTHY_API_KEY \}\}/, service.key)
          .replace(/\$\{\{ steps\.(\w+)\.outputs\.([\w-]+) \}\}/, (_, step, output) => outputs[step]?.[output] ?? ''),
      ]);
      const ended = await job.step(Object.fromEntries(filled));
      outputs[id] = ended.outputs;
      outputs[String(given.command)] = ended.outputs;
      if (ended.exit !== 0) break;
    }
    return outputs;
  };

  it('shows a workflow that works unchanged, and deploys nothing before the gate says go', async () => {
    const { jobs, permissions } = parse(blockOf('workflow'));
    expect(permissions).to.deep.equal({ contents: 'read' });
    const saying = async () => {
      const { tests, gate, deploy } = await runSteps(jobs.ship.steps);
      return [tests?.report, gate?.verdict, deploy?.report];
    };
    expect(await saying()).to.deep.equal(['sent', 'hold', undefined]);
    const path = { team_id: service.teamId, project_id: service.projectId, release_id: service.releaseId };
    await makeReady(service, 'checkout', path);
    const passed = '<testsuite><testcase classname="cart" name="adds"/></testsuite>';
    await writeFile(join(job.workspace, 'reports', 'unit.xml'), passed);
    expect(await saying()).to.deep.equal(['sent', 'go', 'sent']);
  });

  it('shows two ends of a deployment that meet', async () => {
    const outputs = await runSteps(parse(blockOf('steps')));
    expect(outputs['deploy-start']?.['deployment-id']).to.match(/^[0-9a-f-]{36}$/);
    expect(outputs['deploy-finish']?.['deployment-id']).to.equal(outputs['deploy-start']?.['deployment-id']);
    const path = { team_id: service.teamId, project_id: service.projectId };
    const [last] = (await service.person.listDeployments({ path })).body.data;
    expect(last?.status).to.equal('success');
  });
});
