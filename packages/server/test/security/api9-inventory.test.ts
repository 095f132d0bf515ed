import { randomUUID } from 'node:crypto';
import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { useStage } from '../harness/stage.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

describe('OWASP API9, improper inventory management: what is served and what is documented', () => {
  const stage = useStage();
  let key = '';
  before(async () => {
    key = await stage().world.key(stage().ada);
  });
  const send = (path: string, method: string) =>
    ask(stage().service.baseUrl, path, { method, headers: { authorization: `Bearer ${key}` } });
  const documented = async (): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> => {
    const { json } = await send('/api/openapi.json', 'GET');
    return json?.paths as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };

  it('are the same: each path takes the methods that are documented and refuses all others by naming them', async () => {
    const paths = Object.entries(await documented());
    expect(paths.length).to.be.above(40);
    for (const [path] of paths) {
      const there = path.replace(/\{axis\}/, 'ops').replace(/\{\w+\}/g, () => randomUUID());
      // A fixed last segment may be in the place of another path's parameter.
      const documents = paths.filter(([other]) => new RegExp(`^${other.replace(/\{\w+\}/g, '[^/]+')}$`).test(there));
      const known = documents.flatMap(([, methods]) => Object.keys(methods)).map((name) => name.toUpperCase());
      const own = METHODS.filter((method) => known.includes(method));
      const { status, headers } = await send(there, 'OPTIONS');
      expect(status, path).to.equal(204);
      const allowed = (headers.allow ?? '').split(', ').filter((method) => METHODS.includes(method));
      expect(allowed, path).to.have.members(own);
      for (const method of METHODS.filter((one) => !own.includes(one)))
        expect((await send(there, method)).status, `${method} ${path}`).to.equal(405);
    }
  });

  it('are the whole table of operations, each with what it asks of a caller', async () => {
    const paths = await documented();
    for (const [id, { path, method, auth }] of Object.entries(operations)) {
      const found = paths[path]?.[method.toLowerCase()] as { operationId?: string; security?: unknown[] } | undefined;
      expect(found?.operationId, `${method} ${path}`).to.equal(id);
      if (auth.kind === 'key' || auth.kind === 'session') expect(found?.security, id).to.have.lengthOf.at.least(1);
    }
  });

  it('leaves no older, newer, inner or test interface beside it', async () => {
    for (const path of [
      '/api/v1/teams',
      '/api/v2/teams',
      '/v1/api/teams',
      '/api/beta/teams',
      '/api/internal/teams',
      '/api/admin',
      '/api/debug',
      '/api/test',
      '/api/graphql',
      '/graphql',
      '/api/swagger.json',
      '/api/openapi.yaml',
      '/openapi.json',
      '/api/teams.json',
      '/api/gitlab/connect',
    ])
      for (const method of METHODS) expect((await send(path, method)).status, `${method} ${path}`).to.equal(404);
  });
});
