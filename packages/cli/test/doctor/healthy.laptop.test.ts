import { expect } from 'chai';
import { runIn } from '../stand-in.js';
import { doctor, type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

describe('doctor on a healthy laptop', () => {
  let office: Office;
  let laptop: Laptop;
  before(async () => {
    office = await openOffice();
    office.host.tokens.set('a-token-that-writes', 'write');
  });
  after(() => office.close());
  beforeEach(async () => {
    laptop = await openLaptop(office);
    laptop.store('x-access-token', 'a-token-that-writes');
  });
  afterEach(() => laptop.remove());

  it('finds everything ready and ends with 0', async () => {
    const found = await doctor(laptop);
    for (const { steps } of found.groups)
      for (const { id, state, counted, what } of steps) if (counted) expect(state, `${id}: ${what}`).to.equal('ready');
    expect(found).to.include({ exit: 0, state: 'ready' });
    expect(found.groups.map(({ id }) => id)).to.deep.equal([
      'server',
      'host',
      'repository',
      'https',
      'credentials',
      'agent',
    ]);
  });

  it('says so to people', async () => {
    const { out, err, exit } = await runIn(laptop, 'doctor');
    expect(exit).to.equal(0);
    expect(err).to.equal('');
    expect(out).to.match(/^1\. Settings and server: ready\n {2}ready {10}Server address found\n/);
    expect(out).to.match(/\nEverything is ready\.\n$/);
  });

  it('looks only at what is named and what that depends on', async () => {
    const { groups, exit } = await doctor(laptop, 'https.head', 'repository.secret');
    expect(groups.flatMap(({ steps }) => steps.map(({ id }) => id))).to.deep.equal([
      'repository.git',
      'repository.folder',
      'repository.remote',
      'repository.secret',
      'https.head',
    ]);
    expect(exit).to.equal(0);
    const unknown = await runIn(laptop, 'doctor', 'nonsense');
    expect(unknown.exit).to.equal(2);
    expect(unknown.err).to.contain('server, host, repository, https, credentials, agent');
  });
});
