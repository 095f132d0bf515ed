import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Service, startService } from 'shipworthy/test-service';
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

  it('shows inputs that work as they stand', async () => {
    const included: readonly Included[] = parse(BLOCK).include;
    const variables = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key };
    const report = '<testsuite><testcase name="adds"/></testsuite>';
    const files = {
      'deploy.sh': '#!/bin/sh\necho deployed\n',
      'package.json': JSON.stringify({ scripts: { test: 'node report.js' } }),
      'report.js': `fs=require("fs");fs.mkdirSync("reports");fs.writeFileSync("reports/a.xml",${JSON.stringify(report)})`,
    };
    for (const { component, inputs } of included) {
      const name = /\/(\w+)@/.exec(component)?.[1] ?? '';
      const { exit, log } = await runJob(name, inputs, { variables, files });
      expect([name, exit], log).to.deep.equal([name, 0]);
    }
    const path = { team_id: service.teamId, project_id: service.projectId };
    expect((await service.person.listDeployments({ path })).body.data).to.have.length(1);
    expect((await service.person.listTestRuns({ path })).body.data[0]).to.include({ total: 1, passed: 1 });
  });
});
