import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { silentLog } from '../../src/observability/silent-log.js';
import { startDemo } from '../../src/work/demo.js';

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('the work that adds the demo', () => {
  it('adds it once somebody is set up, and not again when it is removed', async () => {
    const stores = memoryStores();
    const loop = startDemo({ stores, clock: Date.now }, silentLog, 5);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await stores.teams.demo()).to.equal(undefined);
    const user = {
      id: crypto.randomUUID(),
      email: 'a@b.dev',
      name: 'Ada',
      emailVerified: true,
      administrator: true,
      disabledAt: null,
      createdAt: 0,
    };
    await stores.users.createFirst(user, 'x');
    await until(async () => (await stores.teams.demo()) !== undefined);
    const demo = await stores.teams.demo();
    expect(await stores.teams.removeDemo(demo?.id ?? '')).to.equal(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await stores.teams.demo()).to.equal(undefined);
    await loop.stop();
  });
});
