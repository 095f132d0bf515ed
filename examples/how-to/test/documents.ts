import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A fenced block of a document. */
export interface Block {
  readonly language: string;
  /** The text after the language. */
  readonly about: string;
  readonly text: string;
}

export interface Document {
  /** From the root. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const blocksOf = (text: string): readonly Block[] =>
  [...text.matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', about = '', inside = '']) => ({
    language,
    about,
    text: inside,
  }));

export const readDocument = (path: string): Document => {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, blocks: blocksOf(text) };
};

const howTos = readdirSync(join(root, 'docs', 'how-to')).map((name) => join('docs', 'how-to', name));
const readMes = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join('examples', name, 'README.md'));

/** Every how-to, and the README of every example. */
export const documents: readonly Document[] = [...howTos, ...readMes].sort().map(readDocument);

/** The shell blocks of a document that are there to be run. */
export const runnable = (path: string): readonly string[] =>
  readDocument(path)
    .blocks.filter(({ language, about }) => language === 'sh' && about === 'run')
    .map(({ text }) => text);
