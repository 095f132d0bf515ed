import type { Open, OpenStores } from './open-stores.js';
import { projectsContract } from './projects.contract.js';
import { releasesContract } from './releases.contract.js';
import { teamsContract } from './teams.contract.js';

export type { Open, OpenStores } from './open-stores.js';

/**
 * Proves with mocha that stores keep every promise of the ports. `open` is called once for most of the suites, which
 * tell their records apart by ids and names of their own, and once more where empty data is needed.
 */
export const storesContract = (name: string, open: Open): void => {
  describe(`${name} fulfils the ports`, () => {
    let current: OpenStores | undefined;
    const opened = (): OpenStores => {
      if (current === undefined) throw new Error('the stores are not open');
      return current;
    };
    before(async () => {
      current = await open();
    });
    after(async () => {
      await current?.close();
    });

    teamsContract(opened);
    projectsContract(opened);
    releasesContract(opened);
  });
};
