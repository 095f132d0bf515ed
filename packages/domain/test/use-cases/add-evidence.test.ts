import { expect } from 'chai';
import { addEvidence } from '../../src/use-cases/add-evidence.js';
import { refused } from '../refusal.js';
import { itemScene, shipped } from './checklist-items.js';
import { actions } from './world.js';

const link = { url: 'https://example.com/handbook', label: 'Handbook' };

describe('Adding evidence', () => {
  it('links it to the item with who added it, counts the version up, and is noted', async () => {
    const here = await itemScene();
    const { item, evidence } = await addEvidence(here)({ by: here.member, ...here.there, ...link });
    expect(evidence).to.deep.include({ ...link, addedBy: 'Ben', addedAt: here.time.now });
    expect(item.evidence).to.deep.equal([evidence]);
    expect(item.version).to.equal(2);
    expect(await here.stores.checklists.byId(item.id)).to.deep.equal(item);
    expect(await actions(here, here.teamId)).to.include('evidence.add');
  });
  it('is refused on a closed release, and is for members', async () => {
    const here = await itemScene();
    await refused(addEvidence(here)({ by: here.viewer, ...here.there, ...link }), 'forbidden');
    await shipped(here);
    await refused(addEvidence(here)({ by: here.member, ...here.there, ...link }), 'release-closed');
  });
});
