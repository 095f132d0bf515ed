import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import { attachment, createAnswer, entityTag, matchesNone, safeFileName } from '../../src/http/answer.js';
import { deviceCookie, sessionCookie } from '../../src/http/authentication.js';
import { pathOfTarget, type RequestContext, stateAtFirst } from '../../src/http/request.js';
import { createAnswerRoom } from '../../src/http/room.js';
import { ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';

const LIST = '/api/teams/t/projects/p/deployments';

const KNOWN = { requestId: '', traceParent: null, address: '', startedAt: 0, at: 0 };

const linkFor = (url: string, basePath = ''): string => {
  const baseUrl = new URL('http://127.0.0.1:4400');
  const device = { baseUrl, secretKey: Buffer.alloc(32), clock: () => 0, newId: () => '' };
  const cookies = { sessionCookie: sessionCookie(baseUrl), deviceCookie: deviceCookie(device) };
  const answer = createAnswer(operations.listDeployments, { ...cookies, answers: createAnswerRoom() });
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  const ctx = new Koa().createContext(request, new ServerResponse(request)) as RequestContext;
  ctx.state = stateAtFirst({ ...KNOWN, path: pathOfTarget(url), basePath });
  answer(ctx, { status: 200, body: { data: [] }, next: 'a+b' }, null);
  return ctx.response.get('Link');
};

describe('the link to the next page', () => {
  it('is the same list with the cursor of the page behind', () => {
    expect(linkFor(LIST)).to.equal(`<${LIST}?cursor=a%2Bb>; rel="next"`);
    expect(linkFor(`${LIST}?limit=2&cursor=x&status=failure`)).to.equal(
      `<${LIST}?limit=2&status=failure&cursor=a%2Bb>; rel="next"`,
    );
  });

  it('has the base path in front, with any part of it that a proxy left', () => {
    expect(linkFor(`${LIST}?limit=1`, '/ship')).to.equal(`</ship${LIST}?limit=1&cursor=a%2Bb>; rel="next"`);
  });

  it('keeps a question mark within a value, or it would be the cursor of another list', () => {
    expect(linkFor(`${LIST}?environment=what?&limit=1`)).to.equal(
      `<${LIST}?environment=what?&limit=1&cursor=a%2Bb>; rel="next"`,
    );
  });

  it('leaves out a fragment, which would swallow the cursor, and another host', () => {
    expect(linkFor(`${LIST}?limit=1#end`)).to.equal(`<${LIST}?limit=1&cursor=a%2Bb>; rel="next"`);
    expect(linkFor(`http://elsewhere.example${LIST}?limit=1`)).to.equal(`<${LIST}?limit=1&cursor=a%2Bb>; rel="next"`);
  });
});

describe('entity tags', () => {
  it('differ with the body', () => {
    expect(entityTag('a'))
      .to.equal(entityTag('a'))
      .and.match(/^[\w-]{27}$/);
    expect(entityTag('a')).to.not.equal(entityTag('b'));
  });

  it('are found alone, in lists, weak, and by the star', () => {
    for (const header of ['"t"', '"a", "t"', 'W/"t"', 'W/"a",W/"t"', '*', ' * ', '"t","b"'])
      expect(matchesNone(header, 't'), header).to.equal(true);
    for (const header of ['', 't', '"tt"', '"a"', '"a, t"', 'W/"tt"', '"T"'])
      expect(matchesNone(header, 't'), header).to.equal(false);
  });

  it('answer 304 without a body to anyone who knows the text', async () => {
    const service = await startBare({
      routes: { readGate: async () => ({ status: 200, text: '{"data":1}', etag: 'abc' }) },
    });
    try {
      const ada = await service.world.person('Ada');
      const team = await service.world.team(ada, 'Payments');
      const project = await service.world.project(ada, team, 'checkout');
      const release = await service.world.release(ada, project, '2.4');
      const path = `/api/teams/${team.id}/projects/${project.id}/releases/${release.id}/gate`;
      const headers = { authorization: `Bearer ${await service.world.key(ada)}` };
      const first = await ask(service.url, path, { headers });
      expect(first.headers).to.include({ etag: '"abc"', 'cache-control': 'private, no-cache' });
      const again = await ask(service.url, path, { headers: { ...headers, 'if-none-match': '"x", "abc"' } });
      expect(again.status).to.equal(304);
      expect(again.text).to.equal('');
      expect(again.headers).to.include({ etag: '"abc"', 'cache-control': 'private, no-cache' });
      expect(again.headers).to.not.have.property('content-type');
      const other = await ask(service.url, path, { headers: { ...headers, 'if-none-match': '"x"' } });
      expect(other.text).to.equal('{"data":1}');
    } finally {
      await service.close();
    }
  });
});

describe('the name of a file to be kept', () => {
  it('is the given one when that is harmless', () => {
    for (const name of ['2.4', 'Spring (final), 2026', 'Größe', '版本 2', '.', 'a.b'])
      if (name !== '.') expect(safeFileName(name)).to.equal(name);
  });

  it('names no folder, no hidden file and no option, and is not too long', () => {
    expect(safeFileName('../../etc/passwd')).to.equal('_.._etc_passwd');
    expect(safeFileName('C:\\x|y')).to.equal('C__x_y');
    expect(safeFileName('a"b\u202Egnp.\u0000')).to.equal('a_b_gnp._');
    expect(safeFileName('--force')).to.equal('force');
    expect(safeFileName('...')).to.equal('_');
    expect([...safeFileName('🚀'.repeat(200))]).to.have.lengthOf(100);
  });

  it('is told in ASCII, and whole beside it where that is not enough', () => {
    expect(attachment('2.4-progress.csv')).to.equal('attachment; filename="2.4-progress.csv"');
    expect(attachment('Größe (1).csv')).to.equal(
      `attachment; filename="Gr__e (1).csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.csv`,
    );
  });

  it('is one header that reads back to the safe name, for any name', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        const safe = safeFileName(name);
        const header = attachment(`${safe}.csv`);
        const [, plain, whole] =
          /^attachment; filename="([\x20-\x21\x23-\x5b\x5d-\x7e]+)"(?:; filename\*=UTF-8''([\w%!#$&+.^`|~-]+))?$/.exec(
            header,
          ) ?? [];
        expect(plain, header).to.match(/^[^/:.][^/:]*\.csv$/);
        expect(whole === undefined ? plain : decodeURIComponent(whole)).to.equal(`${safe}.csv`);
      }),
    ));
});
