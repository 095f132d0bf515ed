import { expect } from 'chai';
import { analyseRelease } from '../../src/analysis/analyse-release.js';
import type { ReleaseRecord } from '../../src/analysis/release-summary.js';
import { DAY, event, START } from './issue-lives.js';
import { record } from './release-records.js';

const NOW = START + 10 * DAY;
const ALL = { from: null, to: null, step: 'day' } as const;
const events = [event('a', 'added', START), event('a', 'done', START + 2 * DAY), event('b', 'added', START + 4 * DAY)];

const frozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

describe('Analysing a release', () => {
  it('goes from the first thing that happened until now', () => {
    const { asOf, points } = analyseRelease(record({ events, startsAt: START + DAY }), ALL, NOW);
    expect(asOf).to.equal(NOW);
    expect([points[0]?.from, points.at(-1)?.at, points.length]).to.deep.equal([START, NOW, 11]);
    const begun = analyseRelease(record({ events, startsAt: START - DAY }), ALL, NOW);
    expect(begun.points[0]?.from).to.equal(START - DAY);
  });
  it('ends when the release shipped or was canceled, unless asked further', () => {
    const end = START + 3 * DAY;
    for (const closed of [{ shippedAt: end }, { canceledAt: end }]) {
      const release = record({ events, startsAt: START, ...closed });
      const analysis = analyseRelease(release, ALL, NOW);
      expect([analysis.asOf, analysis.release.issues.total]).to.deep.equal([end, 1]);
      expect(analyseRelease(release, { ...ALL, to: NOW }, NOW).release.issues.total).to.equal(2);
    }
  });
  it('goes neither beyond now nor from after its end', () => {
    const release = record({ events });
    expect(analyseRelease(release, { ...ALL, to: NOW + DAY }, NOW).asOf).to.equal(NOW);
    const { points } = analyseRelease(release, { ...ALL, from: NOW, to: START }, NOW);
    expect(points.map(({ from, at }) => [from, at])).to.deep.equal([[START, START]]);
  });
  it('has one point of nothing for a release in which nothing happened, none by change', () => {
    const { points, release } = analyseRelease(record(), ALL, NOW);
    expect(points).to.have.lengthOf(1);
    expect(points[0]).to.include({ from: NOW, at: NOW, total: 0, added: 0 });
    expect(release.issues).to.deep.equal({ done: 0, total: 0 });
    expect(analyseRelease(record(), { ...ALL, step: 'change' }, NOW).points).to.deep.equal([]);
  });
  it('shows earlier releases as they shipped', () => {
    const earlier = [record({ id: 'r0', events, shippedAt: START + 3 * DAY })];
    const analysis = analyseRelease(record(), ALL, NOW, earlier);
    expect(analysis.earlier.map(({ id, issues }) => [id, issues.total])).to.deep.equal([['r0', 1]]);
  });
  it('changes nothing it is given', () => {
    const given: ReleaseRecord = frozen(structuredClone(record({ events, startsAt: START })));
    expect(analyseRelease(given, frozen({ ...ALL }), NOW, frozen([given])).points).to.have.lengthOf(11);
  });
});
