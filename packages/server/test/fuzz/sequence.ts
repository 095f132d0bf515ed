import { addDemo } from '../../src/demo.js';
import { bringCast } from './cast.js';
import { createJudge } from './judge.js';
import { createKnowledge } from './knowledge.js';
import type { Rig } from './rig.js';
import { AT_ONCE, type Step } from './step.js';

/** Longer than the limit on tries to sign in looks back, in milliseconds. */
const A_MINUTE = 61_000;

/** Carries out steps one after the other with people and a team of their own, each answer judged. @throws SequenceFailure */
export const runSequence = async (rig: Rig, steps: readonly Step[], nth: number): Promise<void> => {
  const { service, operations } = rig;
  const knowledge = createKnowledge([...operations.values()]);
  // Each test starts without the failed sign-ins of others.
  service.clock.pass(A_MINUTE);
  const cast = await bringCast(rig, knowledge, nth);
  const connections = Array.from({ length: AT_ONCE }, rig.connect);
  const judge = createJudge(rig, cast, knowledge, connections);
  try {
    await judge.forgetChanges();
    for (const [place, step] of steps.entries()) {
      if (step.kind === 'request') await judge.requests([step], place);
      else if (step.kind === 'burst') await judge.requests(step.requests, place);
      else if (step.kind === 'outside') await judge.outside(step);
      else if (step.kind === 'wait') service.clock.pass(step.ms);
      else {
        await addDemo(service.ports);
        await judge.forgetChanges();
      }
    }
    await judge.alive();
  } finally {
    for (const connection of connections) connection.close();
  }
};
