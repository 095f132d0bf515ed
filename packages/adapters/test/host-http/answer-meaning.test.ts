import { expect } from 'chai';
import {
  budgetOf,
  hostRejected,
  hostUnavailable,
  isTransientHostFailure,
  jsonOf,
  refusalOf,
  retryAtOf,
  UNAVAILABLE_CAUSES,
} from '../../src/host-http/answer-meaning.js';
import { refusalIn } from './odd-server.js';

const NOW = 1_760_000_000_000;
const answered = (status: number, headers: Record<string, string> = {}, text = '{}') => ({
  status,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', ...headers }),
  text,
});
const refused = (...given: Parameters<typeof answered>) => {
  const { code, details } = refusalOf(
    answered(...given),
    { title: 'Host', limits: 'ratelimit', now: NOW },
    'repository',
  );
  return { code, ...(details as { cause?: string; retryAt?: number; what?: string }) };
};
const page = { 'content-type': 'text/html' };

describe('what an answer of a host means', () => {
  it('takes JSON by its type', async () => {
    expect(jsonOf(answered(200, {}, '[1]'), 'Host')).to.deep.equal([1]);
    expect(jsonOf(answered(200, { 'content-type': 'application/vnd.host.v3+json' }, '1'), 'Host')).to.equal(1);
    for (const type of ['text/html', 'text/plain', 'application/jsonp', '']) {
      const error = await refusalIn(
        Promise.resolve().then(() => jsonOf(answered(200, { 'content-type': type }), 'Host')),
      );
      expect(error.details.cause, type).to.equal('not_json');
    }
  });

  it('knows JSON that does not end from a page', async () => {
    const error = await refusalIn(Promise.resolve().then(() => jsonOf(answered(200, {}, '[{"id":'), 'Host')));
    expect(error.details.cause).to.equal('cut');
  });

  it('reads no answer with more values than any of the interface has', async () => {
    const causeOf = async (text: string) =>
      (await refusalIn(Promise.resolve().then(() => jsonOf(answered(200, {}, text), 'Host')))).details.cause;
    for (const text of [`[${'{},'.repeat(200_000)}{}]`, `[${'0,'.repeat(250_000)}0]`, '['.repeat(250_001)])
      expect(await causeOf(text), text.slice(0, 5)).to.equal('cut');
    const lawful = `[${'"\\\\",'.repeat(100_000)}"a,\\"{,${',['.repeat(300_000)}"]`;
    expect(jsonOf(answered(200, {}, lawful), 'Host')).to.have.length(100_001);
  });

  it("calls a grant rejected for a 401 in the host's own JSON only", () => {
    expect(refused(401).code).to.equal('host-rejected');
    expect(refused(401, page)).to.deep.equal({ code: 'host-unavailable', cause: 'not_json' });
    expect(refused(401, {}, '{"mess')).to.deep.equal({ code: 'host-unavailable', cause: 'cut' });
  });

  it('says when the host asks to wait, and until when', () => {
    const limited = { code: 'host-unavailable', cause: 'rate_limited' };
    expect(refused(429)).to.deep.equal(limited);
    expect(refused(429, { ...page, 'retry-after': '30' })).to.deep.equal({ ...limited, retryAt: NOW + 30_000 });
    const spent = { 'ratelimit-limit': '10', 'ratelimit-remaining': '0', 'ratelimit-reset': '1760000060' };
    expect(refused(403, spent)).to.deep.equal({ ...limited, retryAt: 1_760_000_060_000 });
    expect(refused(403, { ...spent, 'ratelimit-remaining': '5' })).to.deep.equal({ ...limited, cause: 'forbidden' });
  });

  it('tells what is not allowed, missing, failing or unexpected apart', () => {
    expect(refused(403).cause).to.equal('forbidden');
    expect(refused(404)).to.deep.equal({ code: 'not-found', what: 'repository' });
    expect(refused(404, page).cause).to.equal('not_json');
    expect(refused(500, page).cause).to.equal('server_error');
    expect(refused(503, { 'retry-after': '5' })).to.deep.include({ cause: 'server_error', retryAt: NOW + 5000 });
    expect(refused(422).cause).to.equal('server_error');
  });
});

const NEW_YEAR = Date.UTC(2026, 0, 1);
const limits = (remaining: string) =>
  new Headers({ 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': '1767225900' });

describe('the limits of a host', () => {
  it('reads the budget whole or not at all', () => {
    const budget = { limit: 5000, remaining: 12, resetAt: 1_767_225_900_000 };
    expect(budgetOf(limits('12'), 'x-ratelimit')).to.deep.equal(budget);
    expect(budgetOf(limits('12'), 'ratelimit')).to.equal(null);
    expect(budgetOf(limits('many'), 'x-ratelimit')).to.equal(null);
    expect(budgetOf(limits('-1'), 'x-ratelimit')).to.equal(null);
  });

  it('waits as long as Retry-After says, in seconds or until a date', () => {
    expect(retryAtOf(new Headers({ 'retry-after': '90' }), 'ratelimit', NEW_YEAR)).to.equal(NEW_YEAR + 90_000);
    const date = new Headers({ 'retry-after': 'Thu, 01 Jan 2026 00:02:00 GMT' });
    expect(retryAtOf(date, 'ratelimit', NEW_YEAR)).to.equal(NEW_YEAR + 120_000);
    expect(retryAtOf(new Headers({ 'retry-after': 'soon' }), 'ratelimit', NEW_YEAR)).to.equal(undefined);
  });

  it('waits for the reset when nothing remains, and not before', () => {
    expect(retryAtOf(limits('0'), 'x-ratelimit', NEW_YEAR)).to.equal(1_767_225_900_000);
    expect(retryAtOf(limits('1'), 'x-ratelimit', NEW_YEAR)).to.equal(undefined);
  });
});

describe('a host that cannot be read', () => {
  it('says why, and until when only if the host told', () => {
    expect(hostUnavailable('timeout', 'Late.').details).to.deep.equal({ cause: 'timeout' });
    expect(hostUnavailable('rate_limited', 'Wait.', 9).details).to.deep.equal({ cause: 'rate_limited', retryAt: 9 });
  });

  it('is worth a second try only when something broke on the way', () => {
    const passing = UNAVAILABLE_CAUSES.filter((cause) => isTransientHostFailure(hostUnavailable(cause, '')));
    expect(passing).to.deep.equal(['unreachable', 'cut']);
    expect(isTransientHostFailure(hostRejected('Host'))).to.equal(false);
    expect(isTransientHostFailure(new Error('cut'))).to.equal(false);
  });
});
