import { run, type World } from '@shipworthy/cli';
import { type Document, readDocument } from './document.js';
import { handingOn, keeping } from './log.js';

/** The result of a command line. */
export interface Performed {
  readonly exit: number;
  readonly document: Document | undefined;
}

/** Runs the command in this process: its words go to the log, its answer comes back. */
export const perform = async (
  world: World,
  argv: readonly string[],
  onSaid: (text: string) => void = () => undefined,
): Promise<Performed> => {
  const answer = keeping();
  const exit = await run(argv, { ...world, stdout: answer, stderr: handingOn(world.stderr, onSaid) });
  return { exit, document: readDocument(answer.text()) };
};
