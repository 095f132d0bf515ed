import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { startServerProcess } from './browser/server-process.js';
import { ADA, type Service, startService } from './browser/service.js';
import { type Visit, visit } from './browser/visit.js';

/** Counts what a hand does: presses of the pointer, and Enter. What is typed does not count. */
const hand = () => {
  let presses = 0;
  return {
    press: async (on: Locator) => {
      await on.click();
      presses += 1;
    },
    enter: async (on: Locator) => {
      await on.press('Enter');
      presses += 1;
    },
    presses: () => presses,
  };
};

describe('what people do most, in few presses', () => {
  let service: Service;
  let path: ReleasePath;
  let visited: Visit;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
  });
  beforeEach(async () => {
    visited = await visit(service);
    await visited.open(addressOf(path));
    await visited.page.getByRole('heading', { level: 1, name: 'checkout 2.4' }).waitFor();
  });
  afterEach(() => visited.close());
  after(() => service.stop());

  it('from nothing to the scorecard: 4', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shipworthy-presses-'));
    const server = await startServerProcess(folder);
    const newcomer = await visit({ url: server.url, cookies: [] });
    const { page, open, close } = newcomer;
    const { press, enter, presses } = hand();
    await open(`/setup#${server.setupToken}`);
    await page.getByLabel('Your name').fill(ADA.name);
    await page.getByLabel('Email').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await enter(page.getByLabel('Password'));
    await page.getByLabel('Name of the team').fill('Core');
    await enter(page.getByLabel('Name of the team'));
    await page.getByLabel('Name of the project').fill('checkout');
    await enter(page.getByLabel('Name of the project'));
    await press(page.getByRole('link', { name: 'Skip this and open the scorecard' }));
    await page.getByRole('heading', { level: 1, name: 'checkout 1.0' }).waitFor();
    expect(presses()).to.be.at.most(4);
    await close();
    await server.end();
    await rm(folder, { recursive: true });
  });

  it('a test run by hand: 2', async () => {
    const { page } = visited;
    const { press, enter, presses } = hand();
    await press(page.getByRole('link', { name: 'Record a test run' }));
    await page.getByRole('heading', { level: 1, name: /^Record a test run/ }).waitFor();
    await page.getByLabel('Passed').fill('9');
    await page.getByLabel('Total').fill('10');
    await enter(page.getByLabel('Total'));
    await page.getByText('9 of 10').first().waitFor();
    expect(presses()).to.be.at.most(2);
  });

  it('an invitation: 3', async () => {
    const { page } = visited;
    const { press, presses } = hand();
    await press(page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }));
    await press(page.getByRole('link', { name: 'Members of the team' }));
    await press(page.getByRole('button', { name: 'Make an invitation link' }));
    await page.getByRole('region', { name: 'Invitation link' }).waitFor();
    expect(presses()).to.be.at.most(3);
  });

  it('a key: 3', async () => {
    const { page } = visited;
    const { press, enter, presses } = hand();
    await press(page.getByRole('banner').getByRole('link', { name: 'Settings' }));
    await press(page.getByRole('button', { name: /Create your first key|New key/ }));
    await page.getByRole('dialog').getByLabel('Name').fill('pipeline');
    await enter(page.getByRole('dialog').getByLabel('Name'));
    await page.getByText('it is not shown again').waitFor();
    expect(presses()).to.be.at.most(3);
  });

  it('a waiver: 2', async () => {
    const { page } = visited;
    const { press, enter, presses } = hand();
    await press(page.getByRole('button', { name: /^Waive: / }).first());
    await page.getByLabel('Why it is acceptable').fill('A fix is on its way.');
    await enter(page.getByLabel('Why it is acceptable'));
    await page.getByText('waived', { exact: true }).first().waitFor();
    expect(presses()).to.be.at.most(2);
  });

  it('another target date: 2', async () => {
    const { page } = visited;
    const { press, enter, presses } = hand();
    await press(page.getByRole('button', { name: 'No target date: change the release' }));
    await page.getByLabel('Target date', { exact: true }).fill('2199-05-01');
    await enter(page.getByLabel('Target date', { exact: true }));
    await page.getByRole('button', { name: /^Target 1 May 2199/ }).waitFor();
    expect(presses()).to.be.at.most(2);
  });
});
