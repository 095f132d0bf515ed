import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Asked, ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';
import { useStage } from '../harness/stage.js';
import { SHOP } from '../harness/test-host.js';

/** No refusal may cost more of the processor, in milliseconds; each costs a few. */
const LITTLE = 2_000;
const READS = { scopes: ['read'] } as const;

describe('OWASP API4, unrestricted resource consumption: who asks for too much', () => {
  const stage = useStage();
  const attack = async (path: string, asked: Asked = {}) => {
    const { service, world, ada } = stage();
    const headers = { authorization: `Bearer ${await world.key(ada)}`, ...asked.headers };
    const from = process.cpuUsage();
    const answered = await ask(service.baseUrl, path, { ...asked, headers });
    const { user, system } = process.cpuUsage(from);
    expect((user + system) / 1000).to.be.below(LITTLE);
    expect((await ask(service.baseUrl, '/livez')).status, 'others are served').to.equal(200);
    return answered;
  };
  const deploy = (asked: Asked) => attack('/api/deployments', { method: 'POST', ...asked });

  it('is refused a body that grows when it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50 << 20, 32));
    expect(bomb.length, 'small enough to be let in').to.be.below(65_536);
    const { status } = await deploy({ body: bomb, headers: { 'content-encoding': 'gzip' } });
    expect(status).to.equal(415);
  });

  it('is refused a body without end, and one that is nothing but brackets', async () => {
    expect((await deploy({ body: 'x'.repeat(3 << 20), chunked: true })).status).to.equal(413);
    for (const bracket of ['[', '{"a":'])
      expect((await deploy({ body: bracket.repeat(60_000 / bracket.length) })).status).to.equal(400);
  });

  it('is refused a body of a million values before anybody reads it, signed or not', async () => {
    const { forge, project } = stage();
    const { query } = forge.delivery(SHOP.id, project.id);
    const hook = `/api/hooks/${forge.host.name}?project_id=${query.project_id}`;
    const values = Math.floor((2 << 20) / 3) - 1;
    for (const path of [hook, '/api/deployments/batch']) {
      const send = async (body: string) => (await attack(path, { method: 'POST', body })).json?.type;
      expect(await send(`[${'{},'.repeat(values)}{}]`), path).to.equal('/api/docs/problems/body-too-large');
      expect(await send(`${'['.repeat(9999)}${']'.repeat(9999)}`), path).to.equal('/api/docs/problems/malformed-json');
    }
    const lines = `{"list":[${'{},'.repeat(600)}{}]}\n`.repeat(999);
    const headers = { 'content-type': 'application/x-ndjson' };
    const ndjson = await attack('/api/deployments/batch', { method: 'POST', body: lines, headers });
    expect(ndjson.json?.type).to.equal('/api/docs/problems/body-too-large');
  });

  it('is refused numbers and texts that cost more than they say', async () => {
    const started = { app_name: 'checkout', environment: 'production', commit_sha: 'a'.repeat(40), status: 'started' };
    const sent = (more: object) => deploy({ body: { ...started, ...more } });
    for (const more of [
      { environment: 'e'.repeat(60_000) },
      { commit_sha: `${'a'.repeat(50_000)}!` },
      { url: `https://a.dev/${'('.repeat(50_000)}` },
    ])
      expect((await sent(more)).status, JSON.stringify(more).slice(0, 40)).to.equal(422);
    const { status } = await deploy({ body: JSON.stringify(started).replace('"started"', `1${'0'.repeat(50_000)}`) });
    expect(status).to.equal(422);
  });

  it('is refused an address or headers of any size', async () => {
    expect((await attack(`/api/teams?${'a=1&'.repeat(3_000)}`)).status).to.be.oneOf([422, 431]);
    expect((await attack('/api/teams', { headers: { 'x-much': 'm'.repeat(40_000) } })).status).to.equal(431);
    expect((await attack(`/api/teams/${'t/'.repeat(3_000)}`)).status).to.equal(404);
  });

  it('is told to wait when too much comes at once, while others go on', async () => {
    const service = await startBare({
      requestsPerMinute: 60,
      routes: { whoAmI: async () => ({ status: 200, body: { data: {} } }) as never },
    });
    try {
      const { world, url } = service;
      const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
      const callAs = async (key: string) => ask(url, '/api/whoami', { headers: { authorization: `Bearer ${key}` } });
      const [flooding, quiet] = [await world.key(ada, READS), await world.key(bob, READS)];
      const answers = await Promise.all(Array.from({ length: 60 }, () => callAs(flooding)));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).to.have.lengthOf.within(45, 55);
      for (const { headers } of refused) expect(Number(headers['retry-after'])).to.be.at.least(1);
      expect((await callAs(quiet)).status).to.equal(200);
    } finally {
      await service.close();
    }
  });

  it('gets half of the places at most, by however many keys, so that others are served in the meantime', async () => {
    const waiting: (() => void)[] = [];
    let first: string | undefined;
    const service = await startBare({
      requestsPerMinute: null,
      routes: {
        whoAmI: (_, { principal }) => {
          const reply = { status: 200, body: { data: {} } } as never;
          first ??= principal.userId;
          if (principal.userId !== first) return Promise.resolve(reply);
          return new Promise((resolve) => waiting.push(() => resolve(reply)));
        },
      },
    });
    try {
      const { world, url } = service;
      const ada = await world.person('Ada');
      const keys = [
        await world.key(ada, READS),
        await world.key(ada, READS),
        await world.key(await world.person('Bob'), READS),
      ];
      const callAs = (key = '') => ask(url, '/api/whoami', { headers: { authorization: `Bearer ${key}` } });
      const [one, other, quiet] = keys;
      const held = Array.from({ length: 500 }, (_, nth) => callAs(nth % 2 === 0 ? one : other));
      while (waiting.length < 500) await new Promise((resolve) => setTimeout(resolve, 5));
      for (const flooding of [one, other]) {
        const refused = await callAs(flooding);
        expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '1']);
      }
      expect((await callAs(quiet)).status).to.equal(200);
      for (const answer of waiting) answer();
      const statuses = await Promise.all(held.map(async (answered) => (await answered).status));
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
    } finally {
      await service.close();
    }
  });

  it('has the turns of batches for lists of events, so that single ones and those of others go on', async () => {
    const waiting: (() => void)[] = [];
    const service = await startBare({
      requestsPerMinute: null,
      routes: {
        receiveCdEvent: ({ body }) => {
          const reply = { status: 200, body: { data: [] } } as never;
          if (!Array.isArray(body)) return Promise.resolve(reply);
          return new Promise((resolve) => waiting.push(() => resolve(reply)));
        },
      },
    });
    try {
      const { world, url } = service;
      const keyOf = async (name: string) => world.key(await world.person(name), READS);
      const [mine, other] = [await keyOf('Ada'), await keyOf('Bob')];
      const send = async (key: string, body: unknown) => {
        const headers = { authorization: `Bearer ${key}` };
        return (await ask(url, '/api/events', { method: 'POST', headers, body })).status;
      };
      const statuses: number[] = [];
      const sent = Array.from({ length: 40 }, async () => statuses.push(await send(mine, [{}])));
      while (statuses.length < 8 || waiting.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      expect([new Set(statuses), waiting.length]).to.deep.equal([new Set([429]), 4]);
      expect(await send(mine, {}), 'a single event').to.equal(200);
      const list = send(other, [{}]);
      while (waiting.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
      while (statuses.length < 40) {
        for (const answer of waiting.splice(0)) answer();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await Promise.all(sent);
      expect([await list, statuses.filter((status) => status === 200).length]).to.deep.equal([200, 32]);
    } finally {
      await service.close();
    }
  });
});
