import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type ServerProcess, startServerProcess } from './browser/server-process.js';
import { ADA } from './browser/service.js';
import { runInShell } from './browser/shell.js';
import { type Visit, visit } from './browser/visit.js';

describe('a newcomer, from nothing to a shipped release by what the screens say', () => {
  let folder: string;
  let server: ServerProcess;
  let visitor: Visit;
  let page: Page;
  /** What the newcomer has typed into the terminal so far. */
  let terminal = '';

  // Each step begins where the one before ended. Mocha's own bail would end the other files, too, without a word.
  let failed = false;
  beforeEach(() => {
    if (failed) throw new Error('A step before failed.');
  });
  afterEach(function () {
    failed ||= this.currentTest?.state === 'failed';
  });

  const link = (name: string | RegExp) => page.getByRole('link', { name }).first().click();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const shown = async (label: string) => (await page.getByRole('region', { name: label }).innerText()).trim();
  const card = (axis: string) =>
    page.getByRole('list', { name: 'The five axes' }).getByRole('listitem').filter({ hasText: axis });
  const says = (axis: string, words: string) => card(axis).getByText(words).waitFor();
  const why = () => page.getByRole('region', { name: 'Why' });
  const toScorecard = async () => {
    await link('checkout');
    await link(/^Scorecard of/);
    await heading('checkout 1.0');
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-journey-'));
    server = await startServerProcess(folder);
    const withoutSession = { url: server.url, cookies: [] };
    visitor = await visit(withoutSession);
    page = visitor.page;
  });
  after(async () => {
    await visitor.close();
    await server.end();
    await rm(folder, { recursive: true });
  });

  it('sets up the first administrator with the token the server printed', async () => {
    await visitor.open(`/setup#${server.setupToken}`);
    await heading('Welcome to Shipworthy');
    expect(await page.getByLabel('Setup token').inputValue()).to.equal(server.setupToken);
    await page.getByLabel('Your name').fill(ADA.name);
    await page.getByLabel('Email').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await press('Set up');
    await heading('A new project');
  });

  it('founds a team and a project with an active release', async () => {
    await page.getByLabel('Name of the team').fill('Core');
    await press('Create the team');
    await page.getByLabel('Name of the project').fill('checkout');
    await press('Create the project');
    await page.getByText('Key for the pipeline').waitFor();
  });

  it('creates an API key and runs the very lines it is shown in, which are received before its eyes', async () => {
    await press('Create the key');
    await page.getByText('Listening for the first report').waitFor();
    terminal = await shown('Settings for both ways');
    const printed = await runInShell(`${terminal}\n${await shown('With curl')}`);
    expect(printed.match(/\{"data":\{"id":"/g)).to.have.length(2);
    await page.getByText('Received: 10 of 10 tests passed and a deployment to production.').waitFor();
    await link('See the scorecard');
    await heading('checkout 1.0');
  });

  it('reads that three axes fill themselves and two are fed, and that what is not measured is no zero', async () => {
    await says('Scope', 'Not measured');
    await says('Verification', '10 of 10 tests passed');
    await says('Stability', '1 of 1 finished deployment');
    await says('Ops', '0 of 3 checklist items done');
    const gate = page.getByRole('region', { name: 'Ship gate' });
    await gate.getByText('Hold', { exact: true }).waitFor();
    await why().getByText('Ops is at 0, below its minimum of 100').waitFor();
    expect(await page.title()).to.equal('Hold · checkout 1.0 · Shipworthy');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).to.equal('/icon-hold.svg');
    await visitor.expectAccessible('the first scorecard');
  });

  it('enters issues and a bug by hand: scope is done versus total, quality the bugs', async () => {
    await link('Scope');
    await link('Enter issues');
    const enter = async (title: string, type: string, state: string) => {
      await page.getByRole('button', { name: 'New issue' }).first().click();
      await page.getByLabel('Title').fill(title);
      await page.getByRole('dialog').getByLabel('Type').selectOption(type);
      await page.getByRole('dialog').getByLabel('State').selectOption(state);
      await press('Save');
      await page.getByRole('rowheader', { name: title }).waitFor();
    };
    await enter('Pay by card', 'Feature', 'Done');
    await enter('Pay by invoice', 'Feature', 'To do');
    await enter('Cart forgets coupons', 'Bug', 'Done');
    await page.getByLabel('State of Pay by invoice').selectOption('Done');
    await toScorecard();
    await says('Scope', '3 of 3 issues done');
    await says('Quality', '1 of 1 bug resolved');
  });

  it('toggles the items of the launch checklist and links evidence', async () => {
    await link('Launch checklist');
    for (const item of ['Docs', 'Feature flag', 'Rollback']) {
      await page.getByLabel(item, { exact: true }).click();
      await press(`Link evidence for ${item}`);
      await page.getByLabel('Address').fill(`https://docs.example.com/${item.replace(' ', '-')}`);
      await page.getByLabel('What it shows').fill(`Proof of ${item}`);
      await press('Link it');
      await page.getByRole('link', { name: `Proof of ${item}` }).waitFor();
    }
    await page.getByText('3 of 3 items done').waitFor();
    await link('1.0');
    await says('Ops', '3 of 3 checklist items done');
  });

  it('records a test run by hand with passed and total only: verification is the pass rate of the latest run', async () => {
    await link('checkout');
    await link('Test runs');
    await link('Record test run');
    await page.getByLabel('Passed').fill('410');
    await page.getByLabel('Total').fill('412');
    await press('Record test run');
    await page.getByText('Recorded: 410 of 412 tests passed.').waitFor();
    await link('See the scorecard');
    await says('Verification', '410 of 412 tests passed');
    await says('Verification', '99.5');
  });

  it('reports a failed deployment by the line the screen shows: stability is the change failure rate', async () => {
    await link('checkout');
    await link('Deployments');
    await page.getByText('How to report a deployment').click();
    const line = await shown('The same with curl');
    await runInShell(`${terminal}\n${line.replace('"status":"success"', '"status":"failure"')}`);
    await page.getByRole('row').filter({ hasText: 'Failure' }).waitFor();
    await toScorecard();
    await says('Stability', '1 of 2 finished deployments succeeded');
    await why().getByText('Stability is at 50, below its minimum of 60').waitFor();
    await runInShell(`${terminal}\n${line}`);
    await says('Stability', '2 of 3 finished deployments succeeded');
  });

  it('opens an axis and finds commit, environment, status and time of each deployment', async () => {
    await link('Stability');
    const row = page.getByRole('row').filter({ hasText: 'Failure' });
    expect(await row.innerText()).to.match(/production[\s\S]*0123abc/);
    await row.getByText(/just now|minute/).waitFor();
    await link('1.0');
  });

  it('is told to go, without upkeep, and ships: the report of that moment is frozen', async () => {
    const gate = page.getByRole('region', { name: 'Ship gate' });
    await gate.getByText('Go', { exact: true }).waitFor();
    await page.getByText('Ship it.').waitFor();
    await visitor.expectAccessible('go');
    const score = await gate.locator('.verdict-number').innerText();
    await press('Ship …');
    await press('Ship 1.0');
    await page.getByText('This is the report of that moment.').waitFor();
    await runInShell(`${terminal}
      curl -sSf "$SHIPWORTHY_API_URL/api/deployments" -H "Authorization: Bearer $SHIPWORTHY_API_KEY" \\
        -H "Content-Type: application/json" -d '{"app_name":"checkout","environment":"production","commit_sha":"4567def","status":"failure"}'`);
    await page.reload();
    await page.getByText('This is the report of that moment.').waitFor();
    expect(await gate.locator('.verdict-number').innerText()).to.equal(score);
    await visitor.expectAccessible('shipped');
  });
});
