import { expect } from 'chai';
import { waitBeforeTry } from '../../src/access/sign-in-limits.js';

const counts = { pair: 1, address: 1, account: 1, addressKnown: false };

describe('Sign-in limits', () => {
  it('let 5 failures a minute of an account from an address be judged', () => {
    expect(waitBeforeTry({ ...counts, pair: 5 })).to.equal(null);
    expect(waitBeforeTry({ ...counts, pair: 6 })).to.equal(60_000);
  });
  it('let 20 failures a minute from an address be judged', () => {
    expect(waitBeforeTry({ ...counts, address: 20 })).to.equal(null);
    expect(waitBeforeTry({ ...counts, address: 21 })).to.equal(60_000);
  });
  it('after 100 failures of an account in an hour, let in only addresses that signed in before', () => {
    expect(waitBeforeTry({ ...counts, account: 100 })).to.equal(null);
    expect(waitBeforeTry({ ...counts, account: 101 })).to.equal(3_600_000);
    expect(waitBeforeTry({ ...counts, account: 101, addressKnown: true })).to.equal(null);
  });
  it('hold a known address to the limits of the minute all the same', () => {
    expect(waitBeforeTry({ pair: 6, address: 6, account: 101, addressKnown: true })).to.equal(60_000);
  });
});
