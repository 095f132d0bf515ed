import { pause } from '@shipworthy/adapters/clock';
import { secrets, uuidv7, verdictSigner } from '@shipworthy/adapters/crypto';
import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { hookSender } from '@shipworthy/adapters/hook-sender';
import { memoryStores } from '@shipworthy/adapters/memory';
import type { Operations } from '@shipworthy/client/contract';
import type { StoresWithFeed } from '@shipworthy/domain';
import { inOnePiece, type Ports } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { InOneTurn, RouteContext } from '../../src/http/route.js';
import { createReportCache } from '../../src/report-cache.js';
import { readinessRoutes } from '../../src/routes/readiness.js';
import { createTestClock } from '../harness/test-clock.js';
import { createWorld } from '../harness/world.js';

describe('readinessRoutes', () => {
  it('reads what a report is made of once, until that changes', async () => {
    const clock = createTestClock();
    const kept = memoryStores();
    let readings = 0;
    const facts: StoresWithFeed['facts'] = {
      ...kept.facts,
      factsFor: (ids) => {
        readings += 1;
        return kept.facts.factsFor(ids);
      },
    };
    const stores: StoresWithFeed = { ...kept, facts };
    const verdicts = verdictSigner({ secretKey: new Uint8Array(32) });
    const sender = hookSender({ secretKey: new Uint8Array(32) });
    const foreign = {
      pause,
      slices: inOnePiece,
      hookSender: sender,
      secrets: secrets(),
      verdicts,
      repositoryHost: null,
    };
    const outside = { ...foreign, clock: clock.read, newId: uuidv7(clock.read) };
    const ports: Ports = {
      ...outside,
      stores,
      feed: stores.feed,
      lookups: lookups(stores),
      receipts: { notCounted: () => undefined },
      deliveryLog: { tried: () => undefined, ended: () => undefined, disabled: () => undefined },
      reports: reportQueue(stores.reports),
    };
    const world = createWorld(ports);
    const ada = await world.person('Ada');
    const team = await world.team(ada, 'Payments');
    const project = await world.project(ada, team, 'checkout');
    const release = await world.release(ada, project, '2.4');
    const { principal } = await world.actor(ada);
    const place = { teamId: team.id, projectId: project.id, releaseId: release.id };
    const { readGate } = readinessRoutes(createReportCache(ports.lookups, clock.read));
    const inOneTurn: InOneTurn = (work) => work(ports);
    const context = { ports, inOneTurn, principal, place } as unknown as RouteContext<Operations['readGate']>;
    const path = { team_id: team.id, project_id: project.id, release_id: release.id };
    const read = () => readGate({ path, query: {}, body: undefined, ifMatch: null }, context);

    const first = await read();
    for (let round = 0; round < 5; round += 1) expect(await read()).to.deep.equal(first);
    expect(readings).to.equal(1);
    await world.tickAll(ada, project, release);
    expect((await read()).etag).not.to.equal(first.etag);
    expect(readings).to.equal(2);
  });
});
