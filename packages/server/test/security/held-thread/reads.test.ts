import { type Operation, operations } from '@shipworthy/client/contract';
import type { ImportedIssue } from '@shipworthy/domain';
import type { ReportEntry } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { recordHistory } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { ask } from '../../harness/ask.js';
import { listen } from '../../harness/listen.js';
import { inSqlite } from '../../harness/openings.js';
import { LINK } from '../../harness/preparations.js';
import { credentialsOf, useStage } from '../../harness/stage.js';
import { successes } from '../../harness/successes.js';
import { NOON } from '../../harness/test-clock.js';
import { leastTurn, MOST_MS } from '../../harness/turns.js';

type Id = keyof typeof successes;

/** Streams of one person, and what is told to them at once: as many points of history as are written together. */
const [KEYS, STREAMS_OF_KEY, EVENTS] = [5, 20, 100];

describe('reads of much data', () => {
  const stage = useStage(inSqlite);
  /** A person's teams take 2,000 names of projects; the rest is for what the operations make. */
  const PROJECTS_IN_SIGHT = 1900;
  const ISSUES = 20_000;
  const EVENTS_OF_ISSUE = 10;
  const DEPLOYMENTS = 20_000;
  const DELIVERIES = 20_000;
  /** As long as a body lets a policy be: as many as an export has. */
  const POLICIES = 500;
  /** As many items as a release may have, and links as evidence of them. */
  const [ITEMS, LINKS] = [500, 500];
  const PORTION = 1000;
  /** Before the records came, and when they did: near enough for the difference to know the moment between. */
  const [BEFORE, LATER] = [NOON, NOON + 1000];
  const LONG = '\u4e2d'.repeat(200);
  const portions = (count: number): readonly (readonly number[])[] =>
    Array.from({ length: count / PORTION }, (_, nth) =>
      Array.from({ length: PORTION }, (__, at) => nth * PORTION + at),
    );

  /** An issue that was taken up and done again and again, never twice in the same moment as another. */
  const issueWithEvents = (nth: number): ImportedIssue => {
    const { service, project, release } = stage();
    const type = nth % 4 === 0 ? 'bug' : 'task';
    const id = service.ports.newId();
    const first = NOON - ISSUES * EVENTS_OF_ISSUE * 1000 + nth;
    const events = Array.from({ length: EVENTS_OF_ISSUE }, (_, turn) => {
      const kind = turn === 0 ? 'added' : turn % 2 === 1 ? 'done' : 'reopened';
      return { issueId: id, releaseId: release.id, at: first + turn * ISSUES, kind, type } as const;
    });
    const names = { projectId: project.id, releaseId: release.id, externalId: `host:${nth}`, title: LONG };
    const told = { type, severity: null, url: null, version: 1, createdAt: first, updatedAt: LATER } as const;
    return { before: null, issue: { id, ...names, ...told, state: 'done' }, events, wholeHistory: true };
  };

  const deployment = (nth: number): ReportEntry => {
    const { service, project } = stage();
    const startedAt = LATER - nth;
    const told = { appName: project.name, environment: 'production', commitSha: 'a'.repeat(40), version: LONG };
    const times = { startedAt, finishedAt: startedAt, durationSeconds: null, createdAt: LATER };
    const rest = { deployedBy: LONG, url: null, isReturn: false, external: null, status: 'success' } as const;
    const id = service.ports.newId();
    return {
      kind: 'deployment',
      deployment: { id, projectId: project.id, ...told, ...times, ...rest },
      remember: null,
    };
  };

  /** Where lists are long, other than where the operation succeeds; set before the first test. */
  const places: Partial<Record<Id, Readonly<Record<string, string>>>> = {};

  const deliverMuch = async (): Promise<void> => {
    const { browser, service, inProject: path } = stage();
    const body = { url: 'https://hooks.acme.dev', types: ['release.shipped'] } as const;
    const { data } = (await browser.ok('createWebhook', { path, body })).body;
    places.listDeliveries = places.exportDeliveries = { ...path, webhook_id: data.id };
    const attempts = Array.from({ length: 20 }, (_, nth) => ({ at: LATER + nth, ms: nth, status: 503, failure: null }));
    const told = { webhookId: data.id, type: 'gate.changed', body: LONG, state: 'failed', nextAt: null } as const;
    for (const portion of portions(DELIVERIES))
      await service.ports.stores.transaction(async ({ webhooks }) => {
        for (const nth of portion)
          await webhooks.put({ ...told, id: service.ports.newId(), at: LATER - nth, tries: 20, attempts });
      });
  };

  const demandMuch = async (): Promise<void> => {
    const { service, team, world, ada } = stage();
    const { id } = await world.project(ada, team, 'demanding');
    places.listPolicyVersions = places.exportPolicyVersions = { team_id: team.id, project_id: id };
    const environments = Array.from({ length: 100 }, (_, nth) => `${nth}`.padEnd(200, LONG));
    await service.ports.stores.transaction(async ({ policies }) => {
      for (let version = 2; version <= POLICIES + 1; version += 1) {
        const policy = { ...DEFAULT_POLICY, environments };
        await policies.add(id, { policy, version, changedAt: NOON + version, changedBy: 'Ada' });
      }
    });
  };

  /** A full checklist, with texts as long as they may be. */
  const checkMuch = async (): Promise<void> => {
    const { service, release } = stage();
    const { newId, stores } = service.ports;
    const mark = {
      reason: LONG.padEnd(500, LONG),
      markedBy: LONG,
      markedAt: LATER,
      confirmedBy: LONG,
      confirmedAt: LATER,
    };
    const told = { title: LONG, origin: 'added', state: 'not_applicable', mark, position: 0, removal: null } as const;
    const item = { releaseId: release.id, ...told, evidence: [], version: 1, updatedAt: LATER, updatedBy: LONG };
    await stores.transaction(async ({ checklists }) => {
      const items = [...(await checklists.ofRelease(release.id))];
      for (let nth = items.length; nth < ITEMS; nth += 1)
        items.push(await checklists.add({ ...item, id: newId(), key: `item_${nth}` }));
      for (let nth = 0; nth < LINKS; nth += 1) {
        const url = `https://acme.dev/${nth}/`.padEnd(2000, 'u');
        await checklists.addEvidence(items[nth]?.id ?? '', {
          id: newId(),
          url,
          label: LONG,
          addedBy: LONG,
          addedAt: LATER,
        });
      }
    });
  };

  /** What the release was before the records came is known: the difference begins there, not amid them. */
  const knownBefore = async (): Promise<void> => {
    const { service, browser, inRelease: path } = stage();
    do await recordHistory(service.ports, { limit: 100, leaseMs: 60_000 });
    while ((await browser.ok('listHistory', { path })).body.data.length === 0);
  };

  before(async () => {
    const { service, project, release } = stage();
    const { stores, newId } = service.ports;
    await knownBefore();
    service.clock.pass(LATER - BEFORE);
    await stores.transaction(async (inside) => {
      for (let nth = 0; nth < PROJECTS_IN_SIGHT; nth += 1) {
        const id = newId();
        await inside.projects.create({ ...project, id, name: `project ${nth}`, slug: `project-${nth}` });
        await inside.releases.create({ ...release, id: newId(), projectId: id }, []);
        await inside.releases.create({ ...release, id: newId(), name: `${nth}`, state: 'planned', startsAt: null }, []);
      }
    });
    for (const portion of portions(ISSUES)) await stores.issues.import(portion.map(issueWithEvents));
    for (const portion of portions(DEPLOYMENTS)) await stores.reports.record(portion.map(deployment));
    await deliverMuch();
    await demandMuch();
    await checkMuch();
  });

  /** Queries that cost more than the usual one. */
  const QUERIES: Partial<Record<Id, string>> = {
    readAnalysis: 'step=change',
    exportAnalysis: 'step=change',
    readPortfolio: 'q=project&sort=reported&group=team',
    exportPortfolio: 'q=project&sort=reported&group=team',
    readDifference: `from=${new Date(BEFORE).toISOString()}`,
    exportDifference: `from=${new Date(BEFORE).toISOString()}`,
  };

  it('find all that was stored', async () => {
    const { browser, inRelease: path } = stage();
    const { release, points } = (await browser.ok('readAnalysis', { path })).body.data;
    expect(release.issues).to.deep.equal({ done: ISSUES, total: ISSUES });
    expect(points.reduce((sum, { completed }) => sum + completed, 0)).to.equal((ISSUES * EVENTS_OF_ISSUE) / 2);
    const query = { from: new Date(BEFORE).toISOString() };
    const { record_count: count } = (await browser.ok('readDifference', { path, query })).body;
    expect(count).to.be.at.least(ISSUES);
    const { text } = await browser.ok('exportDeliveries', { path: places.exportDeliveries as never });
    expect(text.split('\r\n')).to.have.length(DELIVERIES + 2);
    const { headers } = await browser.ok('exportPolicyVersions', { path: places.exportPolicyVersions as never });
    expect(headers['content-disposition']).to.equal('attachment; filename="policy-versions-first-500.csv"');
    const { data: items } = (await browser.ok('listChecklist', { path })).body;
    expect(items).to.have.length(ITEMS);
    expect(items.flatMap(({ evidence }) => evidence)).to.have.length(LINKS);
    // It is full: the test does not stay behind a limit.
    await browser.refused('addChecklistItem', 'invalid', { path, body: { title: 'One more' } });
    const itemPath = { ...path, item_id: items[0]?.id ?? '' };
    await browser.refused('addEvidence', 'invalid', { path: itemPath, body: LINK });
  });

  for (const id of Object.keys(successes) as Id[]) {
    const operation: Operation = operations[id];
    const isRead = operation.method === 'GET' || operation.costly;
    if (!isRead || id === 'followEvents') continue;
    const isPageable = operation.pagedByLimit === true;
    for (const paged of isPageable ? [true, false] : [true])
      it(`as ${id}${paged ? '' : ' without pages'} do not hold the thread`, async () => {
        const { service } = stage();
        const sent = (await successes[id](stage())) as unknown as Partial<
          Record<'path' | 'query' | 'body' | 'headers', Record<string, string>>
        >;
        const path = places[id] ?? sent.path;
        const query = new URLSearchParams({
          ...sent.query,
          ...(operation.query?.properties?.limit === undefined || !paged
            ? {}
            : { limit: String(operation.query?.properties?.limit.maximum) }),
          ...Object.fromEntries(new URLSearchParams(QUERIES[id])),
        });
        const address = `${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path?.[name] ?? name)}?${query}`;
        const headers = { ...(await credentialsOf(operation, stage())), ...sent.headers };
        const body = sent.body === undefined ? {} : { body: sent.body };
        const least = await leastTurn(async () => async () => {
          const { status, text } = await ask(service.baseUrl, address, { method: operation.method, headers, ...body });
          expect(status, text).to.be.below(400);
        });
        expect(least).to.be.at.most(MOST_MS);
      });
  }
});

describe('a burst of events', () => {
  const stage = useStage(inSqlite);

  it('as followEvents does not hold the thread', async () => {
    const { service, world, ada, project, release, team } = stage();
    const { newId, stores, clock } = service.ports;
    const keys = await Promise.all(Array.from({ length: KEYS }, () => world.key(ada)));
    const open = (key: string) => listen(`${service.baseUrl}/api/events`, { authorization: `Bearer ${key}` });
    const streams = await Promise.all(keys.flatMap((key) => Array.from({ length: STREAMS_OF_KEY }, () => open(key))));
    try {
      await Promise.all(streams.map(({ frame }) => frame(({ retry }) => retry !== undefined)));
      const least = await leastTurn(async () => async () => {
        const events = Array.from({ length: EVENTS }, () => ({
          id: newId(),
          type: 'readiness.changed' as const,
          at: clock(),
          teamId: team.id,
          project: { id: project.id, name: project.name },
          release: { id: release.id, name: release.name },
          reading: { score: null, coverage: 0, decision: 'unknown' as const },
          before: null,
        }));
        await stores.events.append(events);
        await Promise.all(streams.map(({ frame }) => frame(({ id }) => id === events.at(-1)?.id)));
      });
      expect(least).to.be.at.most(MOST_MS);
    } finally {
      for (const stream of streams) stream.leave();
    }
  });
});
