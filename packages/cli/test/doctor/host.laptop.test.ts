import { expect } from 'chai';
import { startService } from '../service/service.js';
import { doctor, type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

describe('doctor host', () => {
  let office: Office;
  let laptop: Laptop;
  beforeEach(async () => {
    office = await openOffice();
    laptop = await openLaptop(office);
  });
  afterEach(async () => {
    await laptop.remove();
    await office.close();
  });
  const look = () => doctor(laptop, 'host');

  it('is ready when the host accepts the connection', async () => {
    const { step, exit } = await look();
    expect(step('host.configured').what).to.contain('GitHub');
    expect(step('host.connected').what).to.contain('ada');
    expect(step('host.check').state).to.equal('ready');
    expect(exit).to.equal(0);
  });

  it('says rejected when the host said so, and to approve again', async () => {
    office.service.forge.revokeTokens();
    const { step, exit } = await look();
    expect(step('host.check')).to.include({ state: 'needs_action', what: 'GitHub rejected the connection.' });
    expect(step('host.check').fix).to.contain('approve access to GitHub again');
    expect(exit).to.equal(3);
  });

  it('couldn’t check while the host cannot be asked', async () => {
    await office.service.forge.shut();
    const { step, exit } = await look();
    expect(step('host.check')).to.include({ state: 'could_not_check' });
    expect(step('host.check').what).to.not.contain('rejected');
    expect(exit).to.equal(5);
    await office.service.forge.open();
  });

  it('says where to connect', async () => {
    await office.service.person.disconnectHost();
    const { step } = await look();
    expect(step('host.connected')).to.include({ state: 'needs_action' });
    expect(step('host.connected').fix).to.contain('connect GitHub and approve read access');
    expect(step('host.check').what).to.contain('Depends on “Account connected”');
  });

  it('names the variables of a server without a host', async () => {
    const bare = await startService();
    laptop = { ...laptop, env: { ...laptop.env, SHIPWORTHY_API_URL: bare.url, SHIPWORTHY_API_KEY: bare.key } };
    try {
      const { step } = await look();
      expect(step('host.configured')).to.include({ state: 'needs_action' });
      expect(step('host.configured').fix).to.contain('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET');
    } finally {
      await bare.stop();
    }
  });
});
