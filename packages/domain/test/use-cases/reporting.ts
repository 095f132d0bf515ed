import type { DeploymentReport } from '../../src/deployment.js';
import type { TestRunReport } from '../../src/test-run.js';
import { recordDeployment } from '../../src/use-cases/deployment.js';
import { recordTestRun } from '../../src/use-cases/test-run.js';
import { deploymentReport, testRunReport } from '../report/report-of.js';
import type { ProjectScene } from './scene.js';

/** Records a deployment as the member and answers its view. */
export const deployed = async (here: ProjectScene, over: Partial<DeploymentReport> = {}) => {
  const report = deploymentReport({ appName: here.project.name, ...over });
  const done = await recordDeployment(here, {
    principal: here.member.principal,
    needs: 'member',
    report,
    remember: null,
  });
  if (done.outcome !== 'created') throw new Error(done.outcome);
  return done.view;
};

/** Records a test run as the member and answers its view. */
export const tested = async (here: ProjectScene, over: Partial<TestRunReport> = {}) => {
  const command = {
    principal: here.member.principal,
    needs: 'member',
    ...here.there,
    report: testRunReport(over),
    remember: null,
  } as const;
  const done = await recordTestRun(here, command);
  if (done.outcome !== 'created') throw new Error(done.outcome);
  return done.view;
};
