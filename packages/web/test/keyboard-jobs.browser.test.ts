import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { ADA, type Service, startService } from './browser/service.js';
import { type Visit, visit } from './browser/visit.js';

/** More than any screen has; a job that needs more presses has lost its way. */
const MOST_STEPS = 120;

/** Whether what has the focus has this role and a name that begins so. */
const isFocused = (page: Page, role: 'link' | 'button' | 'checkbox' | 'textbox' | 'combobox', name: string) =>
  page
    .getByRole(role, { name: new RegExp(`^${name}`) })
    .evaluateAll((all) => all.some((each) => each === document.activeElement));

/** What a hand does that has no pointer. */
const keyboardOf = (page: Page) => {
  const press = (key: string) => page.keyboard.press(key);
  const type = (text: string) => page.keyboard.type(text);
  /** Presses Tab until that has the focus. */
  const walk: (...to: Parameters<typeof isFocused> extends [Page, ...infer To] ? To : never) => Promise<void> = async (
    role,
    name,
  ) => {
    await page
      .getByRole(role, { name: new RegExp(`^${name}`) })
      .first()
      .waitFor();
    for (let step = 0; step < MOST_STEPS; step += 1) {
      await press('Tab');
      if (await isFocused(page, role, name)) return;
    }
    throw new Error(`No way by Tab to the ${role} “${name}” on ${page.url()}`);
  };
  const fillIn = async (name: string, text: string) => {
    if (!(await isFocused(page, 'textbox', name))) await walk('textbox', name);
    await press('ControlOrMeta+a');
    await type(text);
  };
  const follow = async (name: string, heading: string | RegExp) => {
    await walk('link', name);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  };
  const activate = async (name: string) => {
    await walk('button', name);
    await press('Enter');
  };
  return { press, type, walk, fillIn, follow, activate };
};

/** How much slower the processor of the browser is made: about a cheap phone. */
const SLOWED = 4;

describe('the main jobs by keyboard alone, on a slow processor', () => {
  let service: Service;
  let path: ReleasePath;
  let visited: Visit;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    const { team_id, project_id } = path;
    await service.person.createIssue({
      path: { team_id, project_id },
      body: { title: 'Total is wrong', type: 'bug', severity: 'critical', state: 'todo', release_id: path.release_id },
    });
  });
  beforeEach(async () => {
    visited = await visit(service);
    const { page, context, open } = visited;
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
    await open(addressOf(path));
    await page.getByRole('heading', { level: 1, name: 'checkout 2.4' }).waitFor();
  });
  afterEach(() => visited.close());
  after(() => service.stop());

  it('signing in', async () => {
    const { page, open, close } = await visit(service, { signedIn: false, mayComplain: /status of 401/ });
    const { fillIn, press } = keyboardOf(page);
    await open('/');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await fillIn('Email', ADA.email);
    await press('Tab');
    await page.keyboard.type(ADA.password);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await close();
  });

  it('finding a project and why it holds', async () => {
    const { page, open } = visited;
    const { press, type, follow } = keyboardOf(page);
    await open('/settings');
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await press('ControlOrMeta+k');
    await type('checkout');
    await page
      .getByRole('option', { name: /^checkout/ })
      .first()
      .waitFor();
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'checkout', exact: true }).waitFor();
    await follow('Scorecard of', 'checkout 2.4');
    await page.getByRole('region', { name: 'Why' }).getByText('1 critical bug open, at most 0 allowed').waitFor();
  });

  it('opening an axis and the records under it', async () => {
    const { page } = visited;
    const { follow } = keyboardOf(page);
    await follow('Stability', 'Stability');
    await page.getByText('3 of 4 finished deployments succeeded').first().waitFor();
  });

  it('ticking an item of the checklist and linking its evidence', async () => {
    const { page } = visited;
    const { follow, walk, press, activate, fillIn } = keyboardOf(page);
    await follow('Launch checklist', 'Launch checklist of checkout 2.4');
    await walk('checkbox', 'Rollback');
    await press('Space');
    await page.getByText('2 of 3 items done').waitFor();
    await activate('Link evidence for.*Rollback');
    await fillIn('Address', 'https://wiki.acme.dev/rollback');
    await press('Tab');
    await page.keyboard.type('Rehearsal');
    await press('Enter');
    await page.getByRole('link', { name: /Rehearsal/ }).waitFor();
  });

  it('recording a test run', async () => {
    const { page } = visited;
    const { follow, press, fillIn } = keyboardOf(page);
    await follow('Record a test run', /^Record a test run/);
    await fillIn('Passed', '400');
    await press('Tab');
    await page.keyboard.type('400');
    await press('Enter');
    await page.getByText('400 of 400').first().waitFor();
  });

  it('adding an issue and closing it', async () => {
    const { page } = visited;
    const { follow, activate, press, walk, fillIn } = keyboardOf(page);
    await follow('Issues', 'Issues of checkout');
    await activate('New issue');
    await fillIn('Title', 'Words of the receipt');
    await press('Enter');
    await page.getByRole('rowheader', { name: /^Words of the receipt/ }).waitFor();
    await walk('combobox', 'State of.*Words of the receipt');
    // Two states further; the first is still being stored when the second is chosen.
    await press('ArrowDown');
    await press('ArrowDown');
    await page.getByText(/Words of the receipt.*: done/).waitFor();
    const { team_id, project_id } = path;
    const { body } = await service.person.listIssues({ path: { team_id, project_id }, query: { q: 'receipt' } });
    expect(body.data.find(({ title }) => title === 'Words of the receipt')?.state).to.equal('done');
  });

  it('waiving a reason', async () => {
    const { page } = visited;
    const { activate, fillIn, press } = keyboardOf(page);
    await activate('Waive: ');
    await fillIn('Why it is acceptable', 'A fix is on its way.');
    await press('Enter');
    await page.getByText('waived', { exact: true }).first().waitFor();
  });

  it('moving the target date', async () => {
    const { page } = visited;
    const { activate, type, press } = keyboardOf(page);
    await activate('No target date');
    await page.getByLabel('Target date', { exact: true }).and(page.locator(':focus')).waitFor();
    await type('05/01/2199');
    await press('Enter');
    await page.getByRole('button', { name: /^Target (1 May|5 Jan) 2199/ }).waitFor();
  });

  it('changing the policy', async () => {
    const { page } = visited;
    const { follow, walk, type, press, activate } = keyboardOf(page);
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).focus();
    await press('Enter');
    await follow('Gate policy', 'Gate policy of checkout');
    await page.getByLabel('Minimum readiness score').waitFor();
    await walk('textbox', 'Minimum readiness score');
    await press('ControlOrMeta+a');
    await type('70');
    await activate('Save the policy');
    await page.getByText('Version 2 is in force.').waitFor();
  });

  it('inviting a person', async () => {
    const { page } = visited;
    const { follow, activate, press } = keyboardOf(page);
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).focus();
    await press('Enter');
    await follow('Members of the team', 'Members of Core');
    await activate('Make an invitation link');
    await page.getByRole('region', { name: 'Invitation link' }).waitFor();
  });

  it('creating a key', async () => {
    const { page, open } = visited;
    const { activate, fillIn, press } = keyboardOf(page);
    await open('/settings');
    await activate('Create your first key');
    await fillIn('Name', 'pipeline');
    await press('Enter');
    await page.getByText('it is not shown again').waitFor();
  });

  it('shipping', async () => {
    const { page } = visited;
    const { activate } = keyboardOf(page);
    await activate('Ship …');
    await page.getByRole('dialog').waitFor();
    await activate('Ship ');
    await page.getByText('Shipped').first().waitFor();
    expect((await service.person.readRelease({ path })).body.data.state).to.equal('shipped');
  });
});
