import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Block } from './documents.js';

/** The lines of a hunk before or after it is applied. */
const side = (lines: readonly string[], other: '+' | '-'): string =>
  lines.flatMap((line) => (line.startsWith(other) ? [] : [line.slice(1)])).join('\n');

/** Does in a copy of the checkout what a block says: makes a new file, or applies a diff; each of its pieces fits in exactly one place. */
export const applyEdit = async (folder: string, { language, about, text }: Block): Promise<void> => {
  const file = join(folder, about);
  if (language === 'new') {
    await mkdir(dirname(file), { recursive: true });
    return writeFile(file, text, { flag: 'wx' });
  }
  let content = await readFile(file, 'utf8');
  for (const piece of text.trimEnd().split(/^@@\n/m)) {
    const lines = piece.trimEnd().split('\n');
    const before = `\n${side(lines, '+')}\n`;
    const found = `\n${content}`.split(before);
    expect(found, `${about}: ${before}`).to.have.length(2);
    content = found.join(`\n${side(lines, '-')}\n`).slice(1);
  }
  return writeFile(file, content);
};

/** The blocks that say what to do. */
export const editsIn = (blocks: readonly Block[]): readonly Block[] =>
  blocks.filter(({ language }) => language === 'diff' || language === 'new');
