import { expect } from 'chai';
import type { KnownStanding } from '../../src/release/standing.js';
import { addIssue } from '../../src/use-cases/add-issue.js';
import { readReadiness } from '../../src/use-cases/read-readiness.js';
import { readStandings } from '../../src/use-cases/read-standings.js';
import { counted } from './counted.js';
import { releaseScene } from './scene.js';

describe('Reading the standings of releases', () => {
  it('reads facts only of releases that changed since', async () => {
    const here = await releaseScene();
    const { stores, calls } = counted(here.stores);
    const kept = new Map<string, KnownStanding>();
    const read = async () => (await readStandings({ ...here, stores }, kept)([here.release.id])).get(here.release.id);
    const first = await read();
    expect(calls.splice(0)).to.deep.equal(['facts.revisions', 'facts.factsFor']);
    expect(await read()).to.deep.equal(first);
    expect(calls.splice(0)).to.deep.equal(['facts.revisions']);
    const issue = { title: 'Refunds', type: 'bug', state: 'todo', severity: 'critical', url: null } as const;
    await addIssue(here)({ by: here.member, ...here.at, issue: { ...issue, releaseId: here.release.id } });
    const { report } = await readReadiness(here)({ principal: here.viewer.principal, ...here.at, view: null });
    expect(await read()).to.include({ score: report.score, decision: report.gate.decision });
    expect(calls).to.deep.equal(['facts.revisions', 'facts.factsFor']);
  });

  it('never puts an older reading in the place of a newer one, and leaves out what is gone', async () => {
    const here = await releaseScene();
    const kept = new Map<string, KnownStanding>();
    const ids = [here.release.id];
    const standing = (await readStandings(here, kept)(ids)).get(here.release.id);
    if (standing === undefined) throw new Error('The release was expected to be there.');
    const newer = { ...standing, revision: standing.revision + 5 };
    kept.set(here.release.id, newer);
    expect((await readStandings(here, kept)(ids)).get(here.release.id)).to.deep.equal(standing);
    expect(kept.get(here.release.id)).to.deep.equal(newer);
    expect([...(await readStandings(here, kept)(['0192f7b4-0000-7000-8000-000000000000'])).keys()]).to.deep.equal([]);
  });
});
