import { expect } from 'chai';
import { scopesText } from '../../../src/screens/settings/scopes.js';

describe('scopesText', () => {
  it('reads as a list, in the order they are offered in', () => {
    expect(scopesText(['test-runs:write', 'read'])).to.equal('Read, report test runs');
    expect(scopesText(['deployments:write'])).to.equal('Report deployments');
  });
});
