import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** The text that the button of a list saves as CSV; `of` says of which, where it is a part of its screen. */
export const downloaded = async (page: Page, file: string, of?: string): Promise<string> => {
  const saved = page.waitForEvent('download');
  const name = of === undefined ? 'Export CSV' : `Export CSV of ${of}`;
  await page.getByRole('link', { name, exact: true }).click();
  const download = await saved;
  expect(download.suggestedFilename()).to.equal(file);
  const pieces: Buffer[] = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};
