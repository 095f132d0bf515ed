import { expect } from 'chai';
import { ACTIONS, actionText, NOUNS } from '../../../src/screens/team/audit-words.js';

const text = (action: string, detail: Record<string, unknown> = {}) => actionText({ action, detail });

describe('actionText', () => {
  it('follows the name of the person in the sentence', () => {
    expect(text('project.create', { name: 'checkout' })).to.equal('created the project “checkout”');
    expect(text('team.rename', { from: 'Core', to: 'Pay' })).to.equal('renamed the team from “Core” to “Pay”');
    expect(text('member.change_role', { name: 'Grace', from: 'viewer', to: 'owner' })).to.equal(
      'changed the role of “Grace” from “viewer” to “owner”',
    );
    expect(text('release.ship', { name: '2.4', decision: 'hold', score: 70, note: null })).to.equal(
      'shipped the release “2.4” with the decision hold',
    );
    expect(text('policy.change', { version: 3 })).to.equal('changed the gate policy to version 3');
    expect(text('waiver.sign', { name: '2.4', code: 'axis_below_minimum', text: 'Docs follow' })).to.equal(
      'waived a reason of “2.4” because “Docs follow”',
    );
    expect(text('repository.link', { host: 'github', repository: 'acme/shop' })).to.equal(
      'linked the repository “acme/shop”',
    );
    expect(text('webhook.disable', { host: 'hooks.acme.dev', reason: 'failing' })).to.equal(
      'disabled the webhook to “hooks.acme.dev” because it was failing',
    );
    expect(text('badge.show')).to.equal('showed the badge under a new address');
  });

  it('belongs to an action that can be chosen by its noun', () => {
    const nouns = new Set(Object.keys(ACTIONS).map((action) => action.split('.', 1)[0]));
    expect(NOUNS.map(([noun]) => noun)).to.have.members([...nouns]);
  });

  it('shows an unknown action unchanged', () => {
    expect(text('event-stream.open_again', { name: 'x' })).to.equal('event-stream open again “x”');
    expect(text('team.rename', { from: { odd: true }, to: null })).to.equal('renamed the team');
  });
});
