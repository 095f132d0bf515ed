import { parseArgs } from 'node:util';
import { ALL_PROGRAMMES } from './all-programmes.js';
import type { FaultProgramme, FaultSize } from './fault-programme.js';

export interface WantedFaults {
  /** None: they are listed. */
  readonly programmes: readonly FaultProgramme[];
  readonly size: FaultSize;
  /** Whether the page of figures is written. */
  readonly write: boolean;
}

const width = Math.max(...ALL_PROGRAMMES.map(({ name }) => name.length));

export const USAGE = `Usage: npm run faults -- <programme ...|all> [--short] [--write]
${ALL_PROGRAMMES.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n')}
  --short  a few rounds of each, in a few seconds
  --write  writes what was found into docs/reliability.md`;

/** @throws Error on an unknown programme or option */
export const readFaultArguments = (words: readonly string[]): WantedFaults => {
  const { values, positionals } = parseArgs({
    args: words.filter((word) => word !== '--'),
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  });
  const isKnown = (name: string): boolean => name === 'all' || ALL_PROGRAMMES.some((one) => one.name === name);
  const unknown = positionals.filter((name) => !isKnown(name));
  if (unknown.length > 0) throw new Error(`No such programme: ${unknown.join(', ')}.`);
  if (values.short && values.write) throw new Error('The page tells of full runs only: --write goes without --short.');
  return {
    programmes: ALL_PROGRAMMES.filter(({ name }) => positionals.includes('all') || positionals.includes(name)),
    size: values.short ? 'short' : 'full',
    write: values.write,
  };
};
