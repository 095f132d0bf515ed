import { createInterface } from 'node:readline/promises';
import { usageFailure } from '../failure.js';
import type { Session } from '../session.js';

/** Asks the person at the terminal; false for anything but yes. Failure (exit 2) where nobody can be asked. */
export const confirm = async ({ world, screen }: Session, question: string): Promise<boolean> => {
  if (world.stdin.isTTY !== true)
    throw usageFailure(
      'Nothing was written: there is no terminal to ask at.',
      'Give --yes to write this, or --dry-run to look only.',
    );
  screen.say(`${question} [y/N]`);
  const lines = createInterface({ input: world.stdin });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
};
