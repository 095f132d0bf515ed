import { summary } from '@actions/core';
import type { World } from '@shipworthy/cli';
import type { Telling } from './telling.js';

/**
 * Escapes a text for use inside an element: characters with a meaning in HTML or Markdown become character references, line
 * ends become spaces, so that no name or reason of a project can end the element it is in.
 */
export const escaped = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[^\p{L}\p{M}\p{N} .,%]/gu, (character) => `&#${character.codePointAt(0)};`);

const isPage = (link: string): boolean => URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);

/** Adds a section to the job's summary; none where the runner keeps none. */
export const writeSummary = async (env: World['env'], { title, rows, lists, link }: Telling): Promise<void> => {
  if (!env.GITHUB_STEP_SUMMARY) return;
  summary.addHeading(escaped(title), 3);
  if (rows.length > 0)
    summary.addTable(rows.map(([name, value]) => [{ data: escaped(name), header: true }, escaped(value)]));
  for (const { heading, items } of lists) summary.addHeading(escaped(heading), 4).addList(items.map(escaped));
  if (isPage(link)) summary.addLink(escaped(link), escaped(link));
  await summary.write();
};
