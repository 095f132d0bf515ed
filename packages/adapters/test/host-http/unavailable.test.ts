import { expect } from 'chai';
import { hostRejected, hostUnavailable, isPassing, UNAVAILABLE_CAUSES } from '../../src/host-http/unavailable.js';

describe('a host that cannot be read', () => {
  it('says why, and until when only if the host told', () => {
    expect(hostUnavailable('timeout', 'Late.').details).to.deep.equal({ cause: 'timeout' });
    expect(hostUnavailable('rate_limited', 'Wait.', 9).details).to.deep.equal({ cause: 'rate_limited', retryAt: 9 });
  });

  it('is worth a second try only when something broke on the way', () => {
    const passing = UNAVAILABLE_CAUSES.filter((cause) => isPassing(hostUnavailable(cause, '')));
    expect(passing).to.deep.equal(['unreachable', 'cut']);
    expect(isPassing(hostRejected('Host'))).to.equal(false);
    expect(isPassing(new Error('cut'))).to.equal(false);
  });
});
