import { expect } from 'chai';
import type { Caller } from '../harness/caller.js';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

const headers = { 'idempotency-key': 'the-same-for-all' };

onEveryStore('an answer that is kept for a repetition', (open) => {
  const stage = useFreshStage(open);

  /** Everybody in the team who may report: persons by their browsers, and keys, two of them of one person. */
  const callers = async (): Promise<readonly Caller[]> => {
    const { world, team, service, ada, browser, pipeline } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'member');
    const keys = [await world.key(ada), await world.key(bob)].map(service.withKey);
    return [browser, pipeline, service.signedIn(bob), ...keys];
  };

  it('never reaches another caller, whose own request has its own effect', async () => {
    const { inProject: path } = stage();
    const asks: readonly ((caller: Caller) => ReturnType<Caller['ok']>)[] = [
      (caller) => caller.ok('recordDeployment', { body: FINISHED, headers }),
      (caller) => caller.ok('recordTestRun', { path, body: RUN, headers }),
    ];
    const all = await callers();
    for (const ask of asks) {
      const answers = [];
      for (const caller of all) answers.push(await ask(caller));
      expect(answers.map((answer) => answer.headers['idempotent-replayed'])).to.deep.equal(all.map(() => undefined));
      expect(new Set(answers.map(({ text }) => JSON.parse(text).data.id)).size).to.equal(all.length);
      const again = [];
      for (const caller of all) again.push(await ask(caller));
      expect(again.map(({ text }) => text)).to.deep.equal(answers.map(({ text }) => text));
      expect(again.map((answer) => answer.headers['idempotent-replayed'])).to.deep.equal(all.map(() => 'true'));
    }
  });

  it('is gone for a key that was revoked, and for anyone who left the team', async () => {
    const { browser, service, world, team } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'member');
    const his = service.withKey(await world.key(bob));
    await his.ok('recordDeployment', { body: FINISHED, headers });
    await browser.ok('removeMember', { path: { team_id: team.id, user_id: bob.user.id } });
    service.clock.pass(2000);
    await his.refused('recordDeployment', 'unknown-app-name', { body: FINISHED, headers });
    const made = (await browser.ok('createApiKey', { body: { name: 'ci', scopes: ['deployments:write'] } })).body.data;
    const key = service.withKey(made.key);
    await key.ok('recordDeployment', { body: FINISHED, headers });
    await browser.ok('revokeApiKey', { path: { api_key_id: made.id } });
    service.clock.pass(2000);
    await key.refused('recordDeployment', 'unauthenticated', { body: FINISHED, headers });
  });
});
