import { expect } from 'chai';
import { inSqlite } from '../harness/openings.js';
import { PASSWORD, secretIn } from '../harness/people.js';
import { useFreshStage } from '../harness/stage.js';

describe('membership is accepted, never imposed', () => {
  const stage = useFreshStage(inSqlite);
  const inTeam = () => ({ team_id: stage().team.id });

  it('shows a team that invited an address only after the invitation is accepted', async () => {
    const { browser, world, service } = stage();
    const bob = await world.person('Bob');
    await browser.ok('addMember', { path: inTeam(), body: { email: bob.user.email, role: 'owner' } });
    const his = service.signedIn(bob);
    expect((await his.ok('listTeams')).body.data).to.deep.equal([]);
    await his.refused('listMembers', 'not-found', { path: inTeam() });
    const members = (await browser.ok('listMembers', { path: inTeam() })).body.data;
    expect(members.map(({ name }) => name)).to.deep.equal(['Ada']);
  });

  it('does not let in a person who typed another person’s address when they made their account', async () => {
    const { browser, service, world } = stage();
    const mallory = await world.person('Mallory');
    const own = await world.team(mallory, 'Elsewhere');
    const link = (await service.signedIn(mallory).ok('createInvitation', { body: { team_id: own.id } })).body.data;
    const body = { token: link.token, email: 'victim@acme.dev', name: 'Victim', password: PASSWORD };
    const pretender = service.signedIn({ secret: secretIn(await service.anonymous.ok('acceptInvitation', { body })) });
    await browser.ok('addMember', { path: inTeam(), body: { email: 'victim@acme.dev', role: 'owner' } });
    const seen = (await pretender.ok('whoAmI')).body.data.teams;
    expect(seen.map(({ name }) => name)).to.deep.equal(['Elsewhere']);
    expect((await pretender.ok('readSession')).body.data.user.email_verified).to.equal(false);
    expect((await pretender.ok('listReceivedInvitations')).body.data).to.deep.equal([]);
    const [made] = (await browser.ok('listInvitations', { path: inTeam() })).body.data;
    const path = { invitation_id: made?.id ?? '' };
    await pretender.refused('acceptReceivedInvitation', 'not-found', { path });
    await pretender.refused('declineReceivedInvitation', 'not-found', { path });
  });

  it('verifies no address by an invitation that its own maker bound to it', async () => {
    const { browser, service, world } = stage();
    const mallory = await world.person('Mallory');
    const own = await world.team(mallory, 'Elsewhere');
    const bound = { team_id: own.id, email: 'victim@acme.dev' };
    const link = (await service.signedIn(mallory).ok('createInvitation', { body: bound })).body.data;
    const body = { token: link.token, email: 'victim@acme.dev', name: 'Victim', password: PASSWORD };
    const pretender = service.signedIn({ secret: secretIn(await service.anonymous.ok('acceptInvitation', { body })) });
    await browser.ok('addMember', { path: inTeam(), body: { email: 'victim@acme.dev', role: 'owner' } });
    expect((await pretender.ok('listReceivedInvitations')).body.data).to.deep.equal([]);
  });

  it('lets a removed member come back by no invitation of before, not even one as owner', async () => {
    const { browser, service, world } = stage();
    const eve = await world.person('Eve');
    const { email, id } = eve.user;
    const asOwner = (await browser.ok('addMember', { path: inTeam(), body: { email, role: 'owner' } })).body.data;
    const link = { team_id: stage().team.id, role: 'viewer' } as const;
    const { token } = (await browser.ok('createInvitation', { body: link })).body.data;
    const hers = service.signedIn(eve);
    await hers.ok('joinTeam', { body: { token } });
    await browser.ok('removeMember', { path: { ...inTeam(), user_id: id } });
    expect((await hers.ok('listReceivedInvitations')).body.data).to.deep.equal([]);
    await hers.refused('joinTeam', 'invitation-unusable', { body: { token: asOwner.token } });
    await hers.refused('acceptReceivedInvitation', 'not-found', { path: { invitation_id: asOwner.id } });
    await hers.refused('listMembers', 'not-found', { path: inTeam() });
  });

  it('makes no account for the invisible twin of an address', async () => {
    const { browser, service } = stage();
    const { token } = (await browser.ok('createInvitation', { body: inTeam() })).body.data;
    const person = { token, name: 'Ada', password: PASSWORD };
    const twin = { ...person, email: 'ada\u200b@acme.dev' };
    const { body } = await service.anonymous.refused('acceptInvitation', 'invalid', { body: twin });
    expect(body.errors).to.have.nested.property('[0].pointer', '/email');
    await browser.refused('addMember', 'invalid', { path: inTeam(), body: { email: twin.email, role: 'viewer' } });
  });

  it('answers the same whether the address has an account', async () => {
    const { browser, world } = stage();
    await world.person('Bob');
    const ask = (email: string) => browser.ask('addMember', { path: inTeam(), body: { email, role: 'viewer' } });
    const [known, unknown] = [await ask('bob@acme.dev'), await ask('bib@acme.dev')];
    expect(unknown.status).to.equal(known.status);
    const shape = ({ text }: { readonly text: string }) => text.replaceAll(/"(id|token|url|email)":"[^"]+"/g, '$1');
    expect(shape(unknown)).to.equal(shape(known));
  });
});
