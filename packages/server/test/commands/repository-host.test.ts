import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { repositoryHostOf } from '../../src/commands/repository-host.js';

const CLIENT = { clientId: 'id', clientSecret: 'secret' };
const KEY = randomBytes(32);

describe('repositoryHostOf', () => {
  it('makes the host the settings name, at its address', async () => {
    const { apiUrl, webUrl } = {
      apiUrl: new URL('https://git.acme.dev/api/v3'),
      webUrl: new URL('https://git.acme.dev'),
    };
    const github = await repositoryHostOf({ github: { ...CLIENT, apiUrl, webUrl }, gitlab: null }, KEY);
    const gitlab = await repositoryHostOf(
      { github: null, gitlab: { ...CLIENT, url: new URL('https://lab.acme.dev') } },
      KEY,
    );
    const begun = [github, gitlab].map((host) => {
      const url = host?.authorization.begin({ ownerId: 'u', redirectUrl: 'https://ship.acme.dev/back' }).url ?? '';
      return [host?.name, new URL(url).host, new URL(url).searchParams.get('client_id')];
    });
    expect(begun).to.deep.equal([
      ['github', 'git.acme.dev', 'id'],
      ['gitlab', 'lab.acme.dev', 'id'],
    ]);
  });

  it('makes none without settings', async () => {
    expect(await repositoryHostOf({ github: null, gitlab: null }, KEY)).to.equal(null);
  });
});
