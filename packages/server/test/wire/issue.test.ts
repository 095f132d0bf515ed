import { expect } from 'chai';
import { issueEdit, issueOf } from '../../src/wire/issue.js';

const ID = '01932C7E-5A10-7CC3-9B1E-3F2A4B5C6D7E';

describe('issueOf', () => {
  it('takes what is missing as nothing, and ids in lower case', () => {
    const sent = { title: 'Refunds', type: 'bug', state: 'todo' } as const;
    expect(issueOf(sent)).to.deep.equal({ ...sent, severity: null, url: null, releaseId: null });
    expect(issueOf({ ...sent, release_id: ID }).releaseId).to.equal(ID.toLowerCase());
  });
});

describe('issueEdit', () => {
  it('leaves out what was not sent, and keeps null as a value', () => {
    expect(issueEdit({ title: 'Refunds' })).to.deep.equal({ title: 'Refunds' });
    expect(issueEdit({ severity: null, release_id: null })).to.deep.equal({ severity: null, releaseId: null });
    expect(issueEdit({ release_id: ID })).to.deep.equal({ releaseId: ID.toLowerCase() });
  });
});
