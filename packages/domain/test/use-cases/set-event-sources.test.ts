import { expect } from 'chai';
import { createProject } from '../../src/use-cases/create-project.js';
import { setEventSources } from '../../src/use-cases/set-event-sources.js';
import { refused } from '../refusal.js';
import { projectScene } from './scene.js';
import { actions } from './world.js';

describe('Setting event sources', () => {
  it('puts them in the place of the former ones, each once in the order given, and notes it', async () => {
    const here = await projectScene();
    const set = (sources: readonly string[]) => setEventSources(here)({ by: here.member, ...here.there, sources });
    expect(await set(['b', 'a', 'b'])).to.deep.equal(['b', 'a']);
    await set(['c']);
    expect(await here.stores.eventSources.ofProject(here.project.id)).to.deep.equal(['c']);
    const before = await actions(here, here.teamId);
    expect(before.filter((action) => action === 'event-sources.set')).to.have.length(2);
    await set(['c']);
    expect(await actions(here, here.teamId)).to.deep.equal(before);
  });
  it('refuses what another project of the team has, and leaves things as they were', async () => {
    const here = await projectScene();
    const other = await createProject(here)({ by: here.member, teamId: here.teamId, name: 'Basket' });
    await setEventSources(here)({ by: here.member, ...here.there, sources: ['/ci'] });
    const command = { by: here.owner, teamId: here.teamId, projectId: other.id, sources: ['free', '/ci'] };
    const { details } = await refused(setEventSources(here)(command), 'event-source-taken');
    expect(details).to.deep.equal({ source: '/ci', project: { id: here.project.id, name: 'Shop' } });
    expect(await here.stores.eventSources.ofProject(other.id)).to.deep.equal([]);
  });
  it('is for members', async () => {
    const here = await projectScene();
    await refused(setEventSources(here)({ by: here.viewer, ...here.there, sources: [] }), 'forbidden');
    await refused(setEventSources(here)({ by: here.stranger, ...here.there, sources: [] }), 'not-found');
  });
});
