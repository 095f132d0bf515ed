import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { joinedBy } from './browser/people.js';
import { addressOf, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** Names from right to left, some with digits and signs that the words beside them would draw to themselves. */
const NAMES = {
  team: 'צוות תשלומים (1)',
  project: 'קופה 7',
  other: 'חנות 8',
  release: 'מהדורה 2.4',
  next: '3.0 מתנות',
  earlier: 'מהדורה 2.3',
  person: 'דבורה',
  viewer: 'يوسف',
  issue: 'החזר 100% ללקוח!',
  item: 'תיעוד (טיוטה)',
  added: 'תמיכה תודרכה 24/7',
  reason: 'שינוי של 2 שורות',
  evidence: 'חזרה כללית ב-3',
  suite: 'יחידה 1',
  environment: 'ייצור 2',
  version: 'גרסה 5',
  deployer: 'צינור 9',
  key: 'מפתח 4',
  axis: 'אבטחה 6',
  unit: 'ממצאים',
  waiver: 'התיעוד ביום 2',
  aside: 'מכונה 3 נפלה',
  note: 'הערה 1',
  owner: 'דבורה-owner@example.org',
  member: 'يوسف-member@example.org',
} as const;

/** Finds names that are not isolated from the words beside them: in texts, in attributes, in the title of the page. */
const looseOn = (page: Page) =>
  page.evaluate((names) => {
    const fromRight = /[\u0590-\u08ff]/;
    const alone = new Set<string>(names);
    const isMarked = (text: string) => !fromRight.test(text.replace(/\u2068[^\u2068\u2069]*\u2069/g, ''));
    const isSafe = (text: string) => isMarked(text) || alone.has(text.trim());
    const isInline = (element: Element) => getComputedStyle(element).display === 'inline';
    const block = (element: Element): Element => {
      const parent = element.parentElement;
      return parent !== null && isInline(element) ? block(parent) : element;
    };
    const loose: string[] = [];
    let seen = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      const element = node.parentElement;
      // Code and what is being entered is no sentence.
      if (element === null || !fromRight.test(text) || element.closest('pre, textarea, script') !== null) continue;
      seen += 1;
      const isolating = element.closest('bdi');
      if (isMarked(text) || (isolating !== null && alone.has((isolating.textContent ?? '').trim()))) continue;
      if (!alone.has((block(element).textContent ?? '').trim())) loose.push(text);
    }
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'aria-valuetext', 'title', 'alt', 'placeholder']) {
        const text = element.getAttribute(name) ?? '';
        if (!fromRight.test(text)) continue;
        seen += 1;
        if (!isSafe(text)) loose.push(`${name}: ${text}`);
      }
    if (!isMarked(document.title)) loose.push(`page: ${document.title}`);
    return { loose, seen };
  }, Object.values(NAMES));

/** What opens a dialog that names something. */
const OPENERS =
  /^(Leave|Remove|Revoke|Decline|Disable|Take|Withdraw|Waive|Edit|Cancel|Ship|Not applicable|Change reason|Link evidence|Set aside|Restore:|Target|No target|New|Unlink|Make another|Make owner|Vouch|Confirm)/;

/** The names of the buttons that may open one, each once. */
const openersOn = async (page: Page): Promise<readonly string[]> => {
  const names = await page
    .locator('main button')
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility())
        .map((button) => button.getAttribute('aria-label') ?? (button.textContent ?? '').trim()),
    );
  return [...new Set(names)].filter((name) => OPENERS.test(name.replace(/[\u2068\u2069]/g, '')));
};

describe('names from right to left, in a browser', () => {
  let service: Service;
  let place: ReleasePath;
  let next: ReleasePath;
  let shipped: ReleasePath;
  let invitation: string;
  before(async () => {
    service = await startService({ stores: memoryStores() });
    const { person: ada } = service;
    const { body: team } = await ada.createTeam({ body: { name: NAMES.team } });
    const team_id = team.data.id;
    const { person } = await joinedBy(service, team_id, 'owner', NAMES.person);
    const member = (await joinedBy(service, team_id, 'member', NAMES.viewer)).person;
    const { body: project } = await person.createProject({ path: { team_id }, body: { name: NAMES.project } });
    const { body: other } = await person.createProject({ path: { team_id }, body: { name: NAMES.other } });
    await person.archiveProject({ path: { team_id, project_id: other.data.id } });
    const path = { team_id, project_id: project.data.id };
    const plan = async (name: string) => {
      const { body } = await person.createRelease({ path, body: { name } });
      return { ...path, release_id: body.data.id };
    };
    shipped = await plan(NAMES.earlier);
    await person.activateRelease({ path: shipped });
    await person.shipRelease({ path: shipped, body: { note: NAMES.note } });
    place = await plan(NAMES.release);
    next = await plan(NAMES.next);
    await person.activateRelease({ path: place });
    const { release_id } = place;
    await person.createIssue({ path, body: { title: NAMES.issue, type: 'bug', state: 'todo', release_id } });
    for (const suite of [NAMES.suite, NAMES.aside])
      await person.recordTestRun({ path, body: { total: 5, passed: 4, failed: 1, suite } });
    const { body: runs } = await person.listTestRuns({ path });
    const test_run_id = runs.data.find(({ suite }) => suite === NAMES.aside)?.id ?? '';
    await person.setTestRunAside({ path: { ...path, test_run_id }, body: { reason: NAMES.aside } });
    for (const status of ['success', 'failure', 'started'] as const)
      await person.recordDeployment({
        body: {
          ...{ app_name: NAMES.project, environment: NAMES.environment, commit_sha: '0123abc', status },
          ...{ version: NAMES.version, deployed_by: NAMES.deployer },
        },
      });
    for (const title of [NAMES.item, NAMES.added]) await person.addChecklistItem({ path: place, body: { title } });
    const { body: checklist } = await person.listChecklist({ path: place });
    const [docs, flag, , item, added] = checklist.data.map(({ id }) => ({ ...place, item_id: id }));
    if (!docs || !flag || !item || !added) throw new Error('Five items were expected.');
    await person.changeChecklistItem({ path: docs, body: { state: 'done' } });
    await person.changeChecklistItem({ path: flag, body: { state: 'not_applicable', reason: NAMES.reason } });
    await member.changeChecklistItem({ path: item, body: { state: 'not_applicable', reason: NAMES.reason } });
    await person.addEvidence({ path: docs, body: { url: 'https://docs.example.org/', label: NAMES.evidence } });
    await person.removeChecklistItem({ path: added });
    const { data: policy } = (await person.readPolicy({ path })).body;
    const own_axes = [
      { name: 'security', title: NAMES.axis, unit: { one: NAMES.unit, many: NAMES.unit }, minimum: 99, weight: 1 },
    ];
    const environments = [NAMES.environment];
    await person.replacePolicy({ path, body: { ...policy, own_axes, environments }, ifMatch: policy.version });
    const report = { part: 1, whole: 2, explanation: NAMES.reason };
    await person.recordAxisReport({ path: { ...path, axis: 'security' }, body: report });
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    await person.waiveReason({
      path: place,
      body: { code: 'axis_below_minimum', axis: 'ops', text: NAMES.waiver, expires_at },
    });
    await person.createApiKey({ body: { name: NAMES.key, scopes: ['read'], team_id } });
    await ada.createApiKey({ body: { name: NAMES.key, scopes: ['read'], project_id: path.project_id } });
    const { body: link } = await person.createInvitation({
      body: { team_id, role: 'viewer', email: 'noa@example.org' },
    });
    invitation = `/invitation#${link.data.token}`;
    const { body: own } = await person.createTeam({ body: { name: NAMES.team } });
    await person.createInvitation({ body: { team_id: own.data.id, role: 'viewer', email: 'ada@example.org' } });
    await person.showBadge({ path });
  });
  after(() => service.stop());

  const screens = (): readonly string[] => {
    const team = `/teams/${place.team_id}`;
    const project = `${team}/projects/${place.project_id}`;
    return [
      ...[
        '/',
        '/welcome',
        `/welcome?team=${place.team_id}`,
        `/welcome?team=${place.team_id}&project=${place.project_id}`,
      ],
      ...[team, `${team}/api-keys`, `${team}/audit`],
      ...['', '/issues', '/test-runs', '/test-runs/record', '/deployments', '/deployments?view=not-counted'].map(
        (end) => project + end,
      ),
      ...['', '/repository', '/policy', '/checklist', '/webhooks', '/badge'].map((end) => `${project}/settings${end}`),
      ...[place, next, shipped].map(addressOf),
      ...[
        'checklist',
        'analysis',
        'axes/scope',
        'axes/quality',
        'axes/ops',
        'axes/verification',
        'axes/stability',
        'axes/security',
      ].map((end) => `${addressOf(place)}/${end}`),
      ...[
        '/settings',
        '/settings/account',
        '/settings/people',
        '/settings/archived',
        '/settings/repository-host',
        invitation,
      ],
    ];
  };

  it('leave the words beside them in their places, on every screen and in every question', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /status of 409/ });
    /** Each with where it was seen first. */
    const loose = new Map<string, string>();
    let seen = 0;
    const look = async (where: string) => {
      const found = await looseOn(page);
      seen += found.seen;
      for (const text of found.loose) if (!loose.has(text)) loose.set(text, where);
    };
    for (const address of screens()) {
      await open(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeleton, .awaited').first().waitFor({ state: 'detached' });
      await look(address);
      for (const name of await openersOn(page)) {
        await page.getByRole('button', { name, exact: true }).first().click();
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        if ((await page.locator('dialog[open]').count()) === 0) continue;
        await look(`${address}, ${name}`);
        await page.keyboard.press('Escape');
        await page.locator('dialog[open]').waitFor({ state: 'detached' });
      }
    }
    expect([...loose].map((each) => each.join(' at ')).join('\n')).to.equal('');
    expect(seen).to.be.above(300);
    await close();
  });

  it('are found by this very search where a sentence holds one as it is', async () => {
    const { page, open, close } = await visit(service);
    await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate((name) => {
      const line = document.createElement('p');
      line.textContent = `Issues of ${name}, 12 of them`;
      line.title = `${name} and more`;
      document.body.append(line);
    }, NAMES.project);
    expect((await looseOn(page)).loose).to.deep.equal([
      `Issues of ${NAMES.project}, 12 of them`,
      `title: ${NAMES.project} and more`,
    ]);
    await close();
  });
});
