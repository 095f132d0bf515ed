import { readFileSync } from 'node:fs';
import { makeReady } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { InputValue } from './component.js';
import { removeJobs, runJob } from './runner.js';

const PAGE = readFileSync(new URL('../../../../docs/how-to/use-in-ci.md', import.meta.url), 'utf8');
const [, BLOCK = ''] = /^```yaml include\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];

interface Included {
  readonly component: string;
  readonly inputs: Readonly<Record<string, InputValue>>;
}

describe('how to use the GitLab components', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await removeJobs();
    await service.stop();
  });

  it('shows inputs that work unchanged, and deploy nothing before the gate says go', async () => {
    const included: readonly Included[] = parse(BLOCK).include;
    const variables = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key };
    const report = '<testsuite><testcase name="adds"/></testsuite>';
    const files = {
      'deploy.sh': '#!/bin/sh\necho deployed\n',
      'package.json': JSON.stringify({ scripts: { test: 'node report.js' } }),
      'report.js': `fs=require("fs");fs.mkdirSync("reports");fs.writeFileSync("reports/a.xml",${JSON.stringify(report)})`,
    };
    const path = { team_id: service.teamId, project_id: service.projectId, release_id: service.releaseId };
    const deployments = async () => (await service.person.listDeployments({ path })).body.data.length;
    const runAll = async () => {
      const exits: Record<string, number | null> = {};
      for (const { component, inputs } of included) {
        const name = /\/(\w+)@/.exec(component)?.[1] ?? '';
        exits[name] = (await runJob(name, inputs, { variables, files })).exit;
      }
      return exits;
    };
    expect(await runAll()).to.deep.equal({ tests: 0, deploy: 3 });
    expect(await deployments()).to.equal(0);
    await makeReady(service, 'checkout', path);
    const before = await deployments();
    expect(await runAll()).to.deep.equal({ tests: 0, deploy: 0 });
    expect(await deployments()).to.equal(before + 1);
    expect((await service.person.listTestRuns({ path })).body.data[0]).to.include({ total: 1, passed: 1 });
  });
});
