import { expect } from 'chai';
import { addEvidence } from '../../src/use-cases/add-evidence.js';
import { removeEvidence } from '../../src/use-cases/remove-evidence.js';
import { refused } from '../refusal.js';
import { itemScene, shipped } from './checklist-items.js';
import { actions } from './world.js';

const withEvidence = async () => {
  const here = await itemScene();
  const link = { url: 'https://example.com/handbook', label: 'Handbook' };
  const { evidence } = await addEvidence(here)({ by: here.member, ...here.there, ...link });
  return { ...here, there: { ...here.there, evidenceId: evidence.id } };
};

describe('Removing evidence', () => {
  it('takes it off the item, and is noted', async () => {
    const here = await withEvidence();
    const item = await removeEvidence(here)({ by: here.member, ...here.there });
    expect([item.evidence, item.version]).to.deep.equal([[], 3]);
    expect(await actions(here, here.teamId)).to.include('evidence.remove');
    await refused(removeEvidence(here)({ by: here.member, ...here.there }), 'not-found');
  });
  it('is refused on a closed release, and is for members', async () => {
    const here = await withEvidence();
    await refused(removeEvidence(here)({ by: here.viewer, ...here.there }), 'forbidden');
    await shipped(here);
    await refused(removeEvidence(here)({ by: here.member, ...here.there }), 'release-closed');
  });
});
