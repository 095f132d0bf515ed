import { expect } from 'chai';
import { ALL_PROGRAMMES, FAULTS_USAGE, readFaultArguments } from '../../src/faults/run-programmes.js';

describe('the arguments of a run of programmes', () => {
  it('name none, some or all of them', () => {
    expect(readFaultArguments([]).programmes).to.deep.equal([]);
    expect(readFaultArguments(['--', 'all']).programmes).to.deep.equal(ALL_PROGRAMMES);
    for (const programme of ALL_PROGRAMMES) {
      expect(readFaultArguments([programme.name, '--short'])).to.deep.equal({
        programmes: [programme],
        size: 'short',
        write: false,
      });
      expect(FAULTS_USAGE).to.include(programme.name).and.to.include(programme.title);
    }
  });

  it('must be known, and a short run is not for the page', () => {
    expect(() => readFaultArguments(['earthquake'])).to.throw('No such programme: earthquake.');
    expect(() => readFaultArguments(['--fast'])).to.throw();
    expect(() => readFaultArguments(['all', '--short', '--write'])).to.throw('full runs only');
  });
});
