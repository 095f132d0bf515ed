import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** The text that the button of a list saves as CSV. */
export const downloaded = async (page: Page, file: string): Promise<string> => {
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).to.equal(file);
  const pieces: Buffer[] = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};
