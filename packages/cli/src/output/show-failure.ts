import { EXIT, type ExitCode } from '../exit-code.js';
import { type Failure, failureOf, unexpectedWords } from '../failure.js';
import type { World } from '../world.js';
import type { Screen } from './screen.js';

/** Says what was wrong and what helps, a line each. */
export const sayDetails = (screen: Screen, { faults, fixes }: Pick<Failure, 'faults' | 'fixes'>): void => {
  for (const fault of faults) screen.say(`  ${fault}`);
  for (const fix of fixes) screen.say(`  ${screen.paint.attention('fix:')} ${fix}`);
};

const tell = (screen: Screen, failure: Failure): void => {
  screen.say(`${screen.paint.bad('error:')} ${failure.message}`);
  sayDetails(screen, failure);
  if (failure.requestId !== null) screen.say(screen.paint.faint(`  request ${failure.requestId}`));
};

/** Tells people, and with `--json` programs too, why a command ended; answers its exit code. */
export const showFailure = (screen: Screen, json: boolean, env: World['env'], error: unknown): ExitCode => {
  const failure = failureOf(error);
  if (failure !== undefined) tell(screen, failure);
  else screen.say(`${screen.paint.bad('unexpected error:')} ${unexpectedWords(error, env)}`);
  const exit = failure?.exit ?? EXIT.unexpected;
  if (json) {
    const told = {
      exit,
      code: failure?.code ?? 'unexpected',
      message: failure?.message ?? 'An unexpected error; see stderr.',
      faults: failure?.faults ?? [],
      fixes: failure?.fixes ?? [],
      request_id: failure?.requestId ?? null,
    };
    screen.document({ error: told });
  }
  return exit;
};
