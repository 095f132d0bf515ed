import { expect } from 'chai';
import { requestIdOf, traceOf } from '../../src/http/request-id.js';
import { ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('requestIdOf', () => {
  it('is the caller’s when it is well-formed, else a new one', () => {
    const id = (given: string | undefined) => requestIdOf({ 'x-request-id': given }, () => 'new');
    expect(id('build-17/4:retry')).to.equal('build-17/4:retry');
    for (const given of [undefined, '', 'a b', '"x"', 'x'.repeat(129), 'swk_abcdef', 'é'])
      expect(id(given)).to.equal('new');
  });
});

describe('traceOf', () => {
  it('passes a well-formed traceparent on', async () => {
    expect(traceOf({ traceparent: TRACE })).to.equal(TRACE);
    for (const given of ['', 'x', TRACE.toUpperCase(), `${TRACE}0`])
      expect(traceOf({ traceparent: given })).to.equal(null);
    const service = await startBare();
    try {
      const answer = await ask(service.url, '/nothing', { headers: { traceparent: TRACE, 'x-request-id': 'mine' } });
      expect(answer.headers).to.include({ traceparent: TRACE, 'x-request-id': 'mine' });
      expect(answer.json).to.include({ request_id: 'mine' });
    } finally {
      await service.close();
    }
  });
});
