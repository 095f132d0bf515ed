import { expect } from 'chai';
import { versionComparison } from '../../src/doctor/server-steps.js';

describe('the version of the server beside that of the command', () => {
  it('is named as newer, as older, or not at all', () => {
    expect(versionComparison(null, '1.2.3')).to.equal('');
    expect(versionComparison('1.2.3', '1.2.3')).to.equal('');
    for (const [server, word] of [
      ['1.2.4', 'newer'],
      ['1.10.0', 'newer'],
      ['2.0.0', 'newer'],
      ['1.2.2', 'older'],
      ['0.9.9', 'older'],
      ['1.1.99-rc.1', 'older'],
    ] as const)
      expect(versionComparison(server, '1.2.3'), server).to.contain(
        `of version ${server}, ${word} than this command (1.2.3)`,
      );
    expect(versionComparison('1.2.3-rc.1', '1.2.3')).to.equal(' of version 1.2.3-rc.1');
  });
});
