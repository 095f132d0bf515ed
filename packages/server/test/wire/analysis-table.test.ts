import { expect } from 'chai';
import { progressTable, releasesTable } from '../../src/wire/analysis-table.js';
import { ANALYSIS } from './sample-analysis.js';

describe('the tables of an analysis', () => {
  it('of the progress have a line per point', () => {
    expect(progressTable(ANALYSIS).split('\r\n')).to.deep.equal([
      'release,from,at,done,total,bugs,open_bugs,added,removed,canceled,completed',
      `"'=2.4","2026-11-20T11:00:00.000Z","2026-11-20T11:00:00.000Z",0,1,1,1,1,0,0,0`,
      `"'=2.4","2026-11-20T13:00:00.000Z","2026-11-20T13:00:00.000Z",1,2,2,1,1,0,0,1`,
      '',
    ]);
  });

  it('of the releases have a line for each, empty where nothing is known', () => {
    const [header = '', release, earlier, end] = releasesTable(ANALYSIS).split('\r\n');
    expect(header.split(',')).to.have.lengthOf(17).and.include.members(['release', 'to_shipping_seconds']);
    expect(release).to.equal(
      `"'=2.4","2026-11-20T12:00:00.000Z","2026-11-20T16:00:00.000Z",14400,1,2,1,2,1,0,0,1,2,1,"2026-11-20T14:00:00.000Z",3600,7200`,
    );
    expect(earlier).to.equal('"2.3, the ""big"" one",,"2026-11-20T12:00:00.000Z",,0,0,0,0,,,,,0,0,,,');
    expect(end).to.equal('');
  });
});
