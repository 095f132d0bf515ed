import type { IncomingMessage } from 'node:http';
import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { createAnswer } from '../../src/http/answer.js';
import { deviceCookie } from '../../src/http/device-cookie.js';
import { type Exchange, pathOf } from '../../src/http/exchange.js';
import { sessionCookie } from '../../src/http/session-cookie.js';

const LIST = '/api/teams/t/projects/p/deployments';

const linkFor = (url: string, basePath = ''): string | readonly string[] | undefined => {
  const baseUrl = new URL('http://127.0.0.1:4400');
  const device = { baseUrl, secretKey: Buffer.alloc(32), clock: () => 0, newId: () => '' };
  const cookies = { sessionCookie: sessionCookie(baseUrl), deviceCookie: deviceCookie(device) };
  const answer = createAnswer(operations.listDeployments, cookies);
  const request = { headers: {}, url } as IncomingMessage;
  const exchange = { request, path: pathOf(url), basePath } as Exchange;
  const { headers } = answer(exchange, { status: 200, body: { data: [] }, next: 'a+b' }, null);
  return headers[headers.indexOf('Link') + 1];
};

describe('the link to the next page', () => {
  it('is the same list with the cursor of the page behind', () => {
    expect(linkFor(LIST)).to.equal(`<${LIST}?cursor=a%2Bb>; rel="next"`);
    expect(linkFor(`${LIST}?limit=2&cursor=x&status=failure`)).to.equal(
      `<${LIST}?limit=2&status=failure&cursor=a%2Bb>; rel="next"`,
    );
  });

  it('has the base path in front, whatever a proxy left of it', () => {
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
