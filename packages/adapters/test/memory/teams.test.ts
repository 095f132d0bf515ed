import { memoryData, memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { storedFullTeam } from '../contract/full-team.js';

const NOT_OF_TEAMS = ['users', 'connections'];

describe('removing the demo from memory', () => {
  it('leaves every table as it was without it', async () => {
    const data = memoryData();
    const stores = memoryStores({ data });
    await storedFullTeam(stores);
    const counts = () =>
      Object.entries(data.tables).flatMap(([name, table]): [string, number][] =>
        NOT_OF_TEAMS.includes(name) ? [] : [[name, table.all().length]],
      );
    const before = counts();
    const team = await storedFullTeam(stores, { demo: true });
    const grown = counts().filter(([name, count]) => count > (Object.fromEntries(before)[name] ?? 0));
    expect(grown.map(([name]) => name)).to.include.members(['externals', 'moves', 'unmoved', 'hourlyCounts', 'frozen']);
    expect(await stores.teams.removeDemo(team.id)).to.equal(true);
    expect(counts()).to.deep.equal(before);
  });
});
