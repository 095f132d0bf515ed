import { expect } from 'chai';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the scorecard on paper and while it loads', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const body = { code: 'score_below_threshold', text: 'The board knows.', expires_at } as const;
    await service.person.waiveReason({ path, body }).catch(() => undefined);
    await service.person.waiveReason({
      path,
      body: { code: 'axis_below_minimum', axis: 'ops', text: 'Docs follow.', expires_at },
    });
  });
  after(() => service.stop());

  it('is one sheet with date, decision, reasons, axes, waivers and next steps', async () => {
    const { page, open, close } = await visit(service);
    await open(addressOf(path));
    await page.getByRole('img', { name: /over time/ }).waitFor();
    const sheet = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
    expect(sheet.match(/\/Type\s*\/Page\b(?!s)/g)).to.have.length(1);
    await page.emulateMedia({ media: 'print' });
    const text = await page.locator('main').innerText();
    for (const part of [
      'checkout 2.4',
      `printed ${new Date().toLocaleString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })}`,
      'Report as of',
      'Hold',
      'Scope',
      'Stability',
      'Ops is at 33.33',
      'Docs follow.',
      'expires',
      'What to do next',
    ])
      expect(text).to.contain(part);
    for (const part of ['What if?', 'Show as a table', 'Move to planned', 'Waive …', 'Launch checklist'])
      expect(text).not.to.contain(part);
    for (const part of ['HTTP interface', 'Keyboard shortcuts', 'Sign out'])
      expect(await page.getByText(part).isVisible(), part).to.equal(false);
    await close();
  });

  for (const width of [1280, 320] as const)
    it(`never moves what is read already, at ${width} px`, async () => {
      const { page, open, close } = await visit(service, { width });
      await open(addressOf(path));
      await page.getByRole('img', { name: /over time/ }).waitFor();
      await service.person.recordTestRun({ path, body: { total: 412, passed: 400, failed: 12 } });
      await page.getByText('400 of 412 tests passed').waitFor();
      const shifts = await page.evaluate(
        () =>
          new Promise<readonly { readonly value: number; readonly what: string }[]>((resolve) => {
            new PerformanceObserver((list) => {
              resolve(
                list.getEntries().flatMap((entry) => {
                  const { value, sources } = entry as unknown as {
                    value: number;
                    sources: readonly { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
                  };
                  const rect = ({ x, y, width, height }: DOMRect) => [x, y, width, height].join(' ');
                  const what = sources.map(
                    ({ node, previousRect, currentRect }) =>
                      `${node?.parentElement?.outerHTML.slice(0, 120)}: ${rect(previousRect)} -> ${rect(currentRect)}`,
                  );
                  // A text that was drawn anew where it was has not moved.
                  const isMoved = sources.some((of) => rect(of.previousRect) !== rect(of.currentRect));
                  return isMoved ? [{ value, what: what.join(', ') }] : [];
                }),
              );
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve([]), 200);
          }),
      );
      expect(shifts).to.deep.equal([]);
      await close();
    });
});
