import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usageFailure } from '../failure.js';
import type { World } from '../world.js';

const MOST_BYTES = 16 * 1024 * 1024;

const readStdin = async (world: Pick<World, 'stdin'>): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of world.stdin) {
    pieces.push(Buffer.from(piece));
    bytes += pieces.at(-1)?.length ?? 0;
    if (bytes > MOST_BYTES) throw usageFailure('Standard input holds more than 16 MiB.');
  }
  return Buffer.concat(pieces).toString('utf8');
};

const readPath = async (path: string): Promise<string> => {
  try {
    if ((await stat(path)).size > MOST_BYTES) throw usageFailure(`${path} holds more than 16 MiB.`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.name !== 'Failure')
      throw usageFailure(`${path} cannot be read (${error.code}).`);
    throw error;
  }
};

/** The JSON value of a file, `-` being standard input, with the name it is spoken of by. Failure (exit 2) for what is none. */
export const readJson = async (
  world: Pick<World, 'stdin' | 'folder'>,
  file: string,
): Promise<{ readonly name: string; readonly value: unknown }> => {
  const name = file === '-' ? 'Standard input' : resolve(world.folder, file);
  const text = await (file === '-' ? readStdin(world) : readPath(name));
  try {
    return { name, value: JSON.parse(text.replace(/^\ufeff/, '')) };
  } catch (error) {
    throw usageFailure(`${name} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
};
