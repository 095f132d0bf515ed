import { knexStores, openDatabase } from '@shipworthy/adapters/knex';
import type { Ports } from '@shipworthy/domain/ports';
import { recordHistory } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { deploymentRoutes } from '../src/routes/deployments.js';
import { testRunRoutes } from '../src/routes/test-runs.js';
import { type BareService, portsOn, startBare } from './harness/bare-service.js';
import { DATABASES, overheard } from './harness/overheard.js';
import { createTestClock } from './harness/test-clock.js';

for (const [name, make] of Object.entries(DATABASES))
  describe(`one report on ${name}`, () => {
    let ports: Ports;
    let service: BareService;
    let sent: string[];
    let remove: () => Promise<void>;
    let authorization: string;
    let testRuns: string;

    before(async () => {
      const { url, drop } = await make();
      const opened = await openDatabase({ url });
      const heard = overheard(opened);
      sent = heard.sent;
      remove = async () => {
        await opened.close();
        await drop();
      };
      ports = portsOn(createTestClock(), knexStores(heard.database));
      service = await startBare({ ports, routes: { ...deploymentRoutes, ...testRunRoutes } });
      const { world } = service;
      const ada = await world.person('Ada');
      const team = await world.team(ada, 'Payments');
      const project = await world.project(ada, team, 'checkout');
      await world.release(ada, project, '2.4');
      authorization = `Bearer ${await world.key(ada)}`;
      testRuns = `/api/teams/${team.id}/projects/${project.id}/test-runs`;
      // The first one has its key and its path looked up, too.
      for (const path of ['/api/deployments', testRuns]) await report(path);
      await settle();
    });
    after(async () => {
      await service.close();
      await remove();
    });

    const BODIES = {
      deployment: { app_name: 'checkout', environment: 'production', commit_sha: '0123abc', status: 'success' },
      testRun: { total: 10, passed: 9, failed: 1 },
    };
    const report = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
      const answer = await fetch(service.url + path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(path === testRuns ? BODIES.testRun : BODIES.deployment),
      });
      expect(answer.status, await answer.text()).to.equal(201);
    };
    const settle = () => recordHistory(ports, { limit: 10, leaseMs: 30_000 });
    const expectAtMost = async (most: number, work: () => Promise<unknown>): Promise<void> => {
      sent.length = 0;
      await work();
      expect(sent, sent.join(', ')).to.have.length.of.at.most(most);
      expect(sent).to.have.length.of.at.least(5);
    };

    it('of a deployment takes 7 statements, one more with an idempotency key', async () => {
      await expectAtMost(7, () => report('/api/deployments'));
      await expectAtMost(8, () => report('/api/deployments', { 'idempotency-key': 'first' }));
    });

    it('of a test run takes 6 statements, one more to hold its project, and one more with an idempotency key', async () => {
      const most = name === 'SQLite' ? 6 : 7;
      await expectAtMost(most, () => report(testRuns));
      await expectAtMost(most + 1, () => report(testRuns, { 'idempotency-key': 'first' }));
    });

    it('moves the trend of its release by 6 statements', async () => {
      await report('/api/deployments');
      await expectAtMost(6, async () => expect(await settle()).to.equal(1));
    });
  });
