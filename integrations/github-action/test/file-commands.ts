import { readFile, writeFile } from 'node:fs/promises';

const HEREDOC = /^([^=<\n]+)<<(\S+)\n([\s\S]*?)\n?\2$/gm;

/** Reads one of the runner's command files as the runner does, and empties it for the next step. */
export const takeValues = async (path: string): Promise<Record<string, string>> => {
  const text = await readFile(path, 'utf8');
  await writeFile(path, '');
  return Object.fromEntries([...text.matchAll(HEREDOC)].map(([, name = '', , value = '']) => [name, value]));
};
