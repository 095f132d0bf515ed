import { expect } from 'chai';
import type { Release } from '../../src/release/release.js';
import type { HostMilestone } from '../../src/repository/host.js';
import { planMilestone, releaseName } from '../../src/repository/imported.js';
import type { LinkSettings } from '../../src/repository/link.js';
import { releaseOf } from '../release/release-of.js';
import { milestoneOf } from './host-records-of.js';

const plan = (
  over: Partial<HostMilestone>,
  releases: readonly Partial<Release>[],
  chosen: LinkSettings['milestones'] = 'all',
) => planMilestone(milestoneOf(over), 'github:M1', chosen, releases.map(releaseOf));

describe('A milestone', () => {
  it('that is open and chosen asks for a release with its name and due date', () => {
    expect(plan({}, [])).to.deep.equal({ kind: 'create', name: '1.0', targetAt: 5_000 });
    expect(plan({}, [], [3])).to.deep.equal({ kind: 'create', name: '1.0', targetAt: 5_000 });
    expect(plan({ title: 'x'.repeat(201) }, [])).to.include({ name: 'x'.repeat(200) });
    expect(releaseName(milestoneOf({ title: '\n' }))).to.equal('#3');
  });
  it('that is not chosen asks for nothing', () => {
    expect(plan({}, [], 'none')).to.deep.equal({ kind: 'nothing' });
    expect(plan({}, [], [4])).to.deep.equal({ kind: 'nothing' });
  });
  it('that is closed asks for a release only when chosen by number', () => {
    expect(plan({ state: 'closed' }, [])).to.deep.equal({ kind: 'nothing' });
    expect(plan({ state: 'closed' }, [], [3])).to.include({ kind: 'create' });
  });
  it('that is closed after it was imported is followed on, and ships nothing', () => {
    const known = { externalId: 'github:M1', targetAt: 5_000, state: 'active' } as const;
    expect(plan({ state: 'closed' }, [known])).to.deep.equal({ kind: 'nothing' });
    const edited = plan({ state: 'closed', dueAt: 6_000 }, [known]);
    expect(edited).to.deep.equal({ kind: 'edit', release: releaseOf({ ...known, targetAt: 6_000, version: 2 }) });
  });
  it('adopts an open release of its name that no milestone has', () => {
    expect(plan({}, [{}])).to.deep.equal({
      kind: 'adopt',
      release: releaseOf({ externalId: 'github:M1', targetAt: 5_000, version: 2 }),
    });
  });
  it('without a due date leaves the target to the project', () => {
    const known = { externalId: 'github:M1', targetAt: 7_000 };
    const dateless = { dueAt: null };
    expect(plan(dateless, [])).to.deep.equal({ kind: 'create', name: '1.0', targetAt: null });
    expect(plan(dateless, [{ targetAt: 7_000 }])).to.deep.equal({
      kind: 'adopt',
      release: releaseOf({ ...known, version: 2 }),
    });
    expect(plan(dateless, [known])).to.deep.equal({ kind: 'nothing' });
    expect(plan({ ...dateless, title: '1.1' }, [known])).to.deep.equal({
      kind: 'edit',
      release: releaseOf({ ...known, name: '1.1', version: 2 }),
    });
  });
  it('leaves closed releases as they are', () => {
    for (const state of ['shipped', 'canceled'] as const) {
      expect(plan({}, [{ state }])).to.deep.equal({ kind: 'nothing' });
      expect(plan({ title: '1.1' }, [{ state, externalId: 'github:M1' }])).to.deep.equal({ kind: 'nothing' });
      expect(plan({}, [{ state, externalId: 'github:M1' }], [4])).to.deep.equal({ kind: 'nothing' });
    }
  });
  it('waits for a name that another milestone has', () => {
    expect(plan({}, [{ externalId: 'github:M2' }])).to.deep.equal({ kind: 'wait' });
  });
  it('renames its release, unless the name is taken', () => {
    const known = { externalId: 'github:M1', targetAt: 5_000 };
    expect(plan({ title: '1.1' }, [known])).to.deep.equal({
      kind: 'edit',
      release: releaseOf({ ...known, name: '1.1', version: 2 }),
    });
    expect(plan({ title: '1.1' }, [known, { id: 'r2', name: '1.1' }])).to.deep.equal({ kind: 'nothing' });
    const dated = plan({ title: '1.1', dueAt: 7_000 }, [known, { id: 'r2', name: '1.1' }]);
    expect(dated).to.deep.equal({ kind: 'edit', release: releaseOf({ ...known, targetAt: 7_000, version: 2 }) });
  });
  it('waits for a new name that another milestone has, as long as its release is open', () => {
    const known = { externalId: 'github:M1', targetAt: 5_000 };
    const other = { id: 'r2', name: '1.1', externalId: 'github:M2' };
    expect(plan({ title: '1.1' }, [known, other])).to.deep.equal({ kind: 'wait' });
    expect(plan({ title: '1.1', dueAt: 1 }, [known, other])).to.include({ kind: 'edit' });
    expect(plan({ title: '1.1' }, [known, { ...other, state: 'shipped' }])).to.deep.equal({ kind: 'nothing' });
  });
  it('that is as it was asks for nothing', () => {
    expect(plan({}, [{ externalId: 'github:M1', targetAt: 5_000 }])).to.deep.equal({ kind: 'nothing' });
  });
  it('that is not chosen any more leaves its release to the project', () => {
    const known = { externalId: 'github:M1', targetAt: 5_000 };
    expect(plan({}, [known], [4])).to.deep.equal({
      kind: 'detach',
      release: releaseOf({ ...known, externalId: null, version: 2 }),
    });
  });
});
