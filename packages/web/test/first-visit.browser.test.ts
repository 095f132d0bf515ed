import { expect } from 'chai';
import { addressOf, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the first visit, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    const { team_id } = path;
    for (let number = 1; number < 40; number += 1)
      await service.person.createProject({ path: { team_id }, body: { name: `service-${number}` } });
  });
  after(() => service.stop());

  /** How often each path of the API was asked for, and how often because the page's headers said so. */
  const callsAt = async (address: string, isSeen: (visited: Awaited<ReturnType<typeof visit>>) => Promise<void>) => {
    const visited = await visit(service);
    await visited.open(address);
    await isSeen(visited);
    const calls = await visited.page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .map(({ name, initiatorType }) => ({ call: name.slice(location.origin.length), initiatorType }))
        .filter(({ call }) => call.startsWith('/api/')),
    );
    await visited.close();
    return calls;
  };

  it('asks once, and while the script is on its way, for what a scorecard shows', async () => {
    const calls = await callsAt(addressOf(path), ({ page }) => page.getByText('Hold').first().waitFor());
    const project = `/teams/${path.team_id}/projects/${path.project_id}`;
    const release = `${project}/releases/${path.release_id}`;
    for (const call of [
      '/about',
      '/session',
      '/whoami',
      `${release}/readiness`,
      release,
      `${release}/waivers`,
      `${project}/policy`,
    ])
      expect(
        calls.filter((made) => made.call === `/api${call}`),
        call,
      ).to.eql([{ call: `/api${call}`, initiatorType: 'link' }]);
  });

  it('asks so for the projects, and shows those below the first screenful, too', async () => {
    const calls = await callsAt('/', ({ page }) =>
      page.waitForFunction(() => document.querySelectorAll('.portfolio tbody tr').length === 40).then(() => undefined),
    );
    const portfolio = calls.filter(({ call }) => call.startsWith('/api/portfolio'));
    expect(portfolio).to.eql([{ call: '/api/portfolio?sort=decision&limit=50', initiatorType: 'link' }]);
  });

  it('shows a skeleton when who is there takes long to be told', async () => {
    const { page, open, close } = await visit(service);
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/session', async (route) => {
      await asked;
      await route.continue();
    });
    await open('/');
    await page.getByText('Loading').waitFor();
    answer();
    await page.getByRole('link', { name: 'service-1', exact: true }).waitFor();
    await close();
  });
});
