import { expect } from 'chai';
import { dropFile } from './browser/drop-file.js';
import { joinedBy } from './browser/people.js';
import { fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { type Visit, visit } from './browser/visit.js';

const JUNIT = `<?xml version="1.0"?>
<testsuites tests="99" failures="0">
  <testsuite name="unit" time="12.5" timestamp="2026-01-05T09:30:00Z">
    <testcase classname="cart" name="adds"/>
    <testcase classname="cart" name="is flaky"><failure/></testcase>
    <testcase classname="cart" name="is flaky"/>
    <testcase classname="cart" name="fails"><failure message="1 &lt; 2"/></testcase>
    <testcase classname="cart" name="later"><skipped/></testcase>
  </testsuite>
</testsuites>`;
const CTRF = JSON.stringify({
  results: {
    summary: { tests: 5 },
    tests: ['passed', 'passed', 'failed', 'other', 'skipped'].map((status) => ({ status })),
  },
});

describe('recording a test run, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let list: string;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    list = `/teams/${path.team_id}/projects/${path.project_id}/test-runs`;
  });
  after(() => service.stop());

  const latest = async () => {
    const { body } = await service.person.listTestRuns({ path, query: { limit: 100 } });
    return body.data.toSorted((one, other) => (one.recorded_at < other.recorded_at ? 1 : -1))[0];
  };
  const opened = async (mayComplain?: RegExp): Promise<Visit> => {
    const here = await visit(service, mayComplain === undefined ? {} : { mayComplain });
    await here.open(`${list}/record`);
    await here.page.getByRole('heading', { name: 'Record a test run of checkout' }).waitFor();
    return here;
  };

  it('by hand takes passed and total only, and says what it did to the score', async () => {
    const { page, close, expectAccessible } = await opened();
    await expectAccessible('empty form');
    await page.getByLabel('Passed').fill('400');
    await page.getByLabel('Total').fill('400');
    await page.getByText('0 of 400 tests failed: 100.0 % passed.').waitFor();
    await page.getByText('Counts for 2.4, the active release.').waitFor();
    await page.getByRole('button', { name: 'Record test run' }).click();
    await page.getByText('Recorded: 400 of 400 tests passed.').waitFor();
    await page.getByText('It counts for 2.4.').waitFor();
    // Scope 83.33, quality 100, ops 33.33, stability 75; verification 99.51 before and 100 after.
    await page.getByText(/78\.2.*78\.3.*5 of 5 measured/).waitFor();
    await expectAccessible('recorded');
    expect(await latest()).to.deep.include({
      total: 400,
      passed: 400,
      failed: 0,
      suite: null,
      release_id: path.release_id,
    });
    await page.getByRole('link', { name: 'See the scorecard' }).click();
    await page.getByRole('heading', { name: 'checkout 2.4' }).waitFor();
    await close();
  });

  it('names each fault at its field, before anything is sent', async () => {
    const { page, close, expectAccessible } = await opened();
    await page.getByRole('button', { name: 'Record test run' }).click();
    expect(await page.getByText('Enter a whole number.').count()).to.equal(2);
    await page.getByLabel('Passed').fill('5');
    await page.getByLabel('Total').fill('4');
    await page.getByText('More than the 4 tests that ran.').waitFor();
    expect(await page.getByLabel('Passed').getAttribute('aria-invalid')).to.equal('true');
    await page.getByLabel('Passed').fill('0');
    await page.getByLabel('Total').fill('0');
    await page.getByText('At least one test must have run.').waitFor();
    await expectAccessible('faults');
    await close();
  });

  it('previews a dropped JUnit report, counted from its elements, and sends its counts', async () => {
    const before = await latest();
    const { page, close, expectAccessible } = await opened();
    await dropFile(page, 'report.xml', JUNIT);
    const counts = page.getByRole('region', { name: 'Counts of the report' });
    await counts.getByText('3 tests ran, in 13 s').waitFor();
    expect(await counts.locator('dl').innerText()).to.match(
      /Passed\s+2\s+Failed\s+1\s+Skipped\s+1\s+Pass rate\s+66\.6 %/,
    );
    expect((await latest())?.id).to.equal(before?.id);
    await expectAccessible('preview');
    await page.getByLabel('Suite (optional)').fill('unit');
    await page.getByRole('button', { name: 'Record test run' }).click();
    await page.getByText('Recorded: 2 of 3 tests passed.').waitFor();
    // It ran long ago.
    await page.getByText('It does not count for 2.4: a newer run counts.').waitFor();
    expect(await latest()).to.deep.include({
      total: 3,
      passed: 2,
      failed: 1,
      skipped: 1,
      suite: 'unit',
      duration_seconds: 12.5,
      ran_at: '2026-01-05T09:30:12.500Z',
    });
    await close();
  });

  it('says why a report is not to be taken at its word, and sends what it does not list as errors', async () => {
    const { page, close, expectAccessible } = await opened();
    const doubted = '<testsuite failures="1"><testcase name="a"/><testcase name="b" status="run"/></testsuite>';
    await dropFile(page, 'doubted.xml', doubted);
    const counts = page.getByRole('region', { name: 'Counts of the report' });
    await counts.getByText('doubted.xml: the report says 1 failure but lists none.').waitFor();
    expect(await counts.locator('dl').innerText()).to.match(/Passed\s+2\s+Failed\s+0\s+Errored\s+1/);
    await expectAccessible('doubted report');
    await page.getByRole('button', { name: 'Record test run' }).click();
    await page.getByText('Recorded: 2 of 3 tests passed.').waitFor();
    expect(await latest()).to.deep.include({ total: 3, passed: 2, failed: 0 });
    await close();
  });

  it('takes a CTRF and a TAP report that are chosen by keyboard as one run, and another release', async () => {
    const { body } = await service.person.createRelease({ path, body: { name: '2.5' } });
    const { page, close } = await opened();
    await page.getByLabel(/Drop a report here/).setInputFiles([
      { name: 'ctrf.json', mimeType: 'application/json', buffer: Buffer.from(CTRF) },
      { name: 'report.tap', mimeType: 'text/plain', buffer: Buffer.from('TAP version 14\n1..2\nok 1\nnot ok 2\n') },
    ]);
    await page.getByText('6 tests ran').waitFor();
    await page.getByText('Errored').waitFor();
    await page.getByLabel('Counts for release').selectOption('2.5 (planned)');
    await page.getByRole('button', { name: 'Record test run' }).click();
    await page.getByText('It counts for 2.5.').waitFor();
    expect(await latest()).to.deep.include({ total: 6, passed: 3, failed: 2, skipped: 1, release_id: body.data.id });
    await page.getByRole('button', { name: 'Record another one' }).click();
    await page.getByLabel('Passed').waitFor();
    await close();
  });

  it('does not go to another release where the one that is shown was closed', async () => {
    const place = await makeRelease(service.person, 'basket', '3.0');
    const made = async (name: string) =>
      (await service.person.createRelease({ path: place, body: { name } })).body.data.id;
    const [second, third] = [await made('3.1'), await made('3.2')];
    const close = (release_id: string) => service.person.cancelRelease({ path: { ...place, release_id } });
    const runs = async () =>
      (await service.person.listTestRuns({ path: place })).body.data.map(({ release_id }) => release_id);
    const { page, open, close: leave, expectAccessible } = await visit(service);
    await open(`/teams/${place.team_id}/projects/${place.project_id}/test-runs/record`);
    await page.getByText('Live', { exact: true }).waitFor();
    const choice = page.getByLabel('Counts for release');
    const record = page.getByRole('button', { name: 'Record test run' });
    await choice.selectOption('3.1 (planned)');
    await page.getByLabel('Passed').fill('10');
    await page.getByLabel('Total').fill('10');
    await close(second);
    await page.getByText('3.1 is no longer open. Choose another release.').waitFor();
    expect(await choice.locator('option:checked').innerText()).to.equal('3.1 (no longer open)');
    await record.click();
    await page.locator('select:focus').waitFor();
    expect(await choice.getAttribute('aria-invalid')).to.equal('true');
    expect(await runs()).to.deep.equal([]);
    await expectAccessible('the chosen release is no longer open');
    await choice.selectOption('3.2 (planned)');
    await record.click();
    await page.getByText('It counts for 3.2.').waitFor();
    expect(await runs()).to.deep.equal([third]);
    await page.getByRole('button', { name: 'Record another one' }).click();
    // Nothing was entered yet, so the form follows the active release.
    await page.getByLabel('Passed').waitFor();
    await service.person.activateRelease({ path: { ...place, release_id: third }, body: { current: 'park' } });
    await page.getByText('3.2 (active)').waitFor({ state: 'attached' });
    expect(await choice.locator('option:checked').innerText()).to.equal('3.2 (active)');
    await page.getByLabel('Passed').fill('9');
    await page.getByLabel('Total').fill('10');
    await service.person.shipRelease({ path: { ...place, release_id: third } });
    await page.getByText('3.2 is no longer open. Choose another release.').waitFor();
    await record.click();
    await page.locator('select:focus').waitFor();
    expect(await runs()).to.deep.equal([third]);
    await close(place.release_id);
    await page.getByRole('heading', { name: 'No release is open' }).waitFor();
    await leave();
  });

  it('says which line of a broken report is to blame, and records nothing', async () => {
    const before = await latest();
    const { page, close, expectAccessible } = await opened();
    await dropFile(page, 'report.xml', '<testsuite>\n<testcase name="a"/>\n</testcase>\n');
    await page.getByText('report.xml is not well-formed: unexpected close tag (line 3).').waitFor();
    await dropFile(page, 'ctrf.json', '{"results":\n{"tests": [');
    await page.getByText('ctrf.json is cut short: the JSON does not end (line 2).').waitFor();
    await dropFile(page, 'entities.xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><testsuite/>');
    await page.getByText(/entities\.xml declares entities of its own/).waitFor();
    await dropFile(page, 'skipped.xml', '<testsuite><testcase name="a"><skipped/></testcase></testsuite>');
    await page.getByText('No test ran: the only one was skipped.').waitFor();
    await expectAccessible('broken report');
    expect((await latest())?.id).to.equal(before?.id);
    await close();
  });

  it('is not offered to a viewer', async () => {
    const viewer = await joinedBy(service, path.team_id, 'viewer');
    const { page, open, close, expectAccessible } = await visit(viewer);
    await open(list);
    await page.getByRole('heading', { name: 'Test runs of checkout' }).waitFor();
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('link', { name: 'Record test run' }).count()).to.equal(0);
    await open(`${list}/record`);
    await page.getByText(/Ask an owner of the team to make you a member/).waitFor();
    expect(await page.getByRole('button', { name: 'Record test run' }).count()).to.equal(0);
    await expectAccessible('viewer');
    await close();
  });

  it('says how to go on when no release is open', async () => {
    const { body } = await service.person.createProject({ path: { team_id: path.team_id }, body: { name: 'search' } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${path.team_id}/projects/${body.data.id}/test-runs`);
    await page.getByRole('heading', { name: 'No release is open' }).waitFor();
    await page.getByText('npx @shipworthy/cli tests record report.xml --app search').waitFor();
    await expectAccessible('no release');
    await service.person.createRelease({
      path: { team_id: path.team_id, project_id: body.data.id },
      body: { name: '1' },
    });
    await page.reload();
    await page.getByText(/No release is active/).waitFor();
    await page.getByLabel('Passed').fill('1');
    await page.getByLabel('Total').fill('1');
    await page.getByRole('button', { name: 'Record test run' }).click();
    await page.getByText('It counts for 1.').waitFor();
    await page.getByRole('table').waitFor();
    await close();
  });
});
