import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Operation, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

const sourceFiles = (): readonly string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(SOURCE, name), 'utf8'));

const LOST = { mayComplain: /ERR_CONNECTION_RESET/ };

/** How often the application sends a call before it says that the server cannot be reached. */
const TRIES = 3;

/** Lets the service store what is sent to the address, and loses its next answers. */
const loseAnswers = async (page: Page, address: string): Promise<void> => {
  let left = TRIES;
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST' || left === 0) return route.continue();
    left -= 1;
    await route.fetch();
    await route.abort('connectionreset');
  });
};

/** Presses the button, reads that the answer was lost, changes something or not, and presses it again. */
const pressTwice = async (page: Page, button: Locator, change?: () => Promise<void>): Promise<void> => {
  await button.click();
  await page.getByText('The server cannot be reached.').waitFor();
  await change?.();
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await button.click();
  expect((await answered).status()).to.equal(201);
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
};

describe('what is stored though its answer was lost, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let project: string;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    project = `/teams/${path.team_id}/projects/${path.project_id}`;
  });
  after(() => service.stop());

  const titles = async () => (await service.person.listIssues({ path })).body.data.map(({ title }) => title);

  it('has a key in every call that takes one', () => {
    const source = sourceFiles().join('\n');
    const calls = [...source.matchAll(/client\s*\.(\w+)\(\s*(keyed)?/g)].map(
      ([, name = '', keyed]) => [name, keyed] as const,
    );
    const takesKey = (name: string) => (operations as Readonly<Record<string, Operation>>)[name]?.idempotent === true;
    const called = (isWanted: (name: string, keyed: string | undefined) => boolean) =>
      [...new Set(calls.filter(([name, keyed]) => isWanted(name, keyed)).map(([name]) => name))].sort();
    expect(called((_, keyed) => keyed !== undefined)).to.deep.equal(called(takesKey));
    expect(called((name, keyed) => takesKey(name) && keyed === undefined)).to.deep.equal([]);
  });

  it('is stored once, when an issue is saved again', async () => {
    const before = await titles();
    const { page, open, close } = await visit(service, LOST);
    await open(`${project}/issues?new=issue`);
    await page.getByLabel('Title').fill('Refund twice');
    await loseAnswers(page, '**/issues');
    await pressTwice(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }));
    expect((await titles()).filter((title) => !before.includes(title))).to.deep.equal(['Refund twice']);
    await close();
  });

  it('is stored beside another one, when the form is changed before it is saved again', async () => {
    const { page, open, close } = await visit(service, LOST);
    await open(`${project}/issues?new=issue`);
    const title = page.getByLabel('Title');
    await title.fill('Refund by post');
    await loseAnswers(page, '**/issues');
    await pressTwice(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }), () =>
      title.fill('Refund by letter'),
    );
    expect(await titles()).to.include.members(['Refund by post', 'Refund by letter']);
    await close();
  });

  it('is a second one, when the same is entered again after it was saved', async () => {
    const { page, open, close } = await visit(service);
    await open(`${project}/test-runs/record`);
    const runs = async () => (await service.person.listTestRuns({ path })).body.data.length;
    const before = await runs();
    for (const count of [1, 2]) {
      await page.getByLabel('Passed').fill('7');
      await page.getByLabel('Total').fill('7');
      await page.getByRole('button', { name: 'Record test run' }).click();
      await page.getByText('Recorded: 7 of 7 tests passed.').waitFor();
      expect(await runs()).to.equal(before + count);
      await page.getByRole('button', { name: 'Record another one' }).click();
    }
    await close();
  });

  it('is stored once, when a test run, checklist item, evidence, waiver, test message or release is sent again', async () => {
    const { person } = service;
    const checklist = `${addressOf(path)}/checklist`;
    const items = async () => (await person.listChecklist({ path })).body.data;
    const webhook = { url: 'https://hooks.example.org/in', types: ['release.canceled'] as const };
    const webhook_id = (await person.createWebhook({ path, body: webhook })).body.data.id;
    const forms: readonly {
      readonly address: string;
      readonly enter: (page: Page) => Promise<void>;
      readonly sentTo: string;
      readonly button: string;
      readonly count: () => Promise<number>;
    }[] = [
      {
        address: `${project}/test-runs/record`,
        enter: async (page) => {
          await page.getByLabel('Passed').fill('9');
          await page.getByLabel('Total').fill('10');
        },
        sentTo: '**/test-runs?*',
        button: 'Record test run',
        count: async () => (await person.listTestRuns({ path })).body.data.length,
      },
      {
        address: checklist,
        enter: (page) => page.getByLabel('Another item').fill('Support is briefed'),
        sentTo: '**/checklist',
        button: 'Add',
        count: async () => (await items()).length,
      },
      {
        address: checklist,
        enter: async (page) => {
          await page.getByRole('button', { name: 'Link evidence for Rollback' }).click();
          await page.getByLabel('Address').fill('https://docs.example.org/');
          await page.getByLabel('What it shows').fill('Rehearsal');
        },
        sentTo: '**/evidence',
        button: 'Link it',
        count: async () => (await items()).flatMap(({ evidence }) => evidence).length,
      },
      {
        address: addressOf(path),
        enter: async (page) => {
          await page.getByRole('button', { name: 'Waive: Ops below its minimum' }).click();
          await page.getByLabel('Why it is acceptable').fill('Docs follow');
        },
        sentTo: '**/waivers',
        button: 'Waive',
        count: async () => (await person.listWaivers({ path })).body.data.length,
      },
      {
        address: `${project}/settings/webhooks`,
        enter: () => Promise.resolve(),
        sentTo: '**/test',
        button: 'Send a test to hooks.example.org/in',
        count: async () => (await person.listDeliveries({ path: { ...path, webhook_id } })).body.data.length,
      },
      {
        address: `${project}?new=release`,
        enter: (page) => page.getByRole('dialog').getByLabel('Name').fill('2.5'),
        sentTo: '**/releases',
        button: 'Create',
        count: async () => (await person.listReleases({ path })).body.data.length,
      },
    ];
    for (const { address, enter, sentTo, button, count } of forms) {
      const before = await count();
      const { page, open, close } = await visit(service, LOST);
      await open(address);
      await enter(page);
      await loseAnswers(page, sentTo);
      await pressTwice(page, page.getByRole('button', { name: button, exact: true }));
      expect(await count(), button).to.equal(before + 1);
      await close();
    }
  });

  it('is stored once, when a team and a project with its release are created again', async () => {
    const { page, open, close } = await visit(service, LOST);
    await open('/welcome');
    await page.getByLabel('Name of the team').fill('Payments');
    await loseAnswers(page, '**/api/teams');
    await pressTwice(page, page.getByRole('button', { name: 'Create the team' }));
    await page.getByLabel('Name of the project').fill('billing');
    await loseAnswers(page, '**/projects');
    await pressTwice(page, page.getByRole('button', { name: 'Create the project' }));
    await page.getByRole('button', { name: 'Create the key' }).waitFor();
    const teams = (await service.person.listTeams()).body.data.filter(({ name }) => name === 'Payments');
    expect(teams.map(({ projects }) => projects.map(({ name }) => name))).to.deep.equal([['billing']]);
    await close();
  });
});
