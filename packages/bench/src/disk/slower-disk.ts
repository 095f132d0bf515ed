import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Workshop } from '../process/workshop.js';

const SOURCE = fileURLToPath(new URL('../../../src/disk/slow-flush.c', import.meta.url));

/** Compiles what slows flushes down; answers its path. @throws Error without a C compiler called cc */
const compiled = (workshop: Workshop): string => {
  const library = workshop.path('slow-flush.so');
  const { status, stderr, error } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`A slower disk needs a C compiler called cc. ${error?.message ?? stderr}`);
  return library;
};

/** Does the work with every process that it starts on a disk whose flushes take so many milliseconds longer; Linux only. */
export const onSlowerDisk = async <Result>(
  workshop: Workshop,
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  const settings = { LD_PRELOAD: compiled(workshop), SLOW_FLUSH_US: String(milliseconds * 1000) };
  Object.assign(process.env, settings);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name];
  }
};
