import { addDemo } from '../../src/demo/add-demo.js';
import { bringCast } from './cast.js';
import type { Answer, Connection, Message } from './connection.js';
import { createKnowledge, type Knowledge } from './knowledge.js';
import { compose } from './message.js';
import type { Rig } from './rig.js';
import type { Outside, Request, Step } from './step.js';

/** A sequence that went wrong: what, and every request as it was sent. */
export class SequenceFailure extends Error {
  override readonly name = 'SequenceFailure';
  constructor(
    /** The same for the same defect, whatever the ids. */
    readonly sign: string,
    detail: string,
    readonly transcript: readonly string[],
  ) {
    super(`${sign}\n${detail}`);
  }
}

const shown = ({ method, target, headers, body }: Message, status: number | string): string => {
  const given = headers.map(([name, value]) => `${name}: ${value.slice(0, 200)}`).join('; ');
  return `${method} ${target.slice(0, 400)} [${given}] ${body?.toString('utf8').slice(0, 1500) ?? ''} -> ${status}`;
};

/** So much time goes by from one request to the next, in milliseconds. */
const BETWEEN = 40;

const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|"[^"]{20,}"|\d{3,}/g;

interface Told {
  readonly message: Message;
  readonly answer: Answer;
}

/** Carries out steps one after the other, each answer judged. @throws SequenceFailure */
export const runSequence = async (rig: Rig, steps: readonly Step[], nth: number): Promise<void> => {
  const { operations, oracle, tally, service } = rig;
  const knowledge: Knowledge = createKnowledge([...operations.values()]);
  // Nobody starts with the failed tries to sign in of others.
  service.clock.pass(61_000);
  const cast = await bringCast(rig, knowledge, nth);
  const connection: Connection = rig.connect();
  const transcript: string[] = [];
  const replies = new Map<string, string>();

  const fail = (where: string, fault: string, detail = ''): never => {
    const logged = rig.faults.splice(0).join('\n');
    throw new SequenceFailure(
      `${where} ${fault}`.replace(IDS, '#').slice(0, 300),
      `${fault}\n${detail}\n${logged}`,
      transcript,
    );
  };

  const exchange = async (where: string, message: Message): Promise<Told> => {
    try {
      const answer = await connection.exchange(message);
      transcript.push(shown(message, answer.status));
      tally.count(where, answer.status);
      return { message, answer };
    } catch (error) {
      transcript.push(shown(message, 'nothing'));
      return fail(where, 'was not answered', String(error));
    }
  };

  /** A replayed answer is one that the same caller got for the same request before. */
  const checkReplay = (where: string, step: Request, { message, answer }: Told): void => {
    const key = message.headers.filter(([name]) => name === 'Idempotency-Key').map(([, value]) => value);
    const name = JSON.stringify([step.caller, message.method, message.target.split('?', 1), key]);
    const replayed = answer.headers['idempotent-replayed'] === 'true';
    if (replayed && step.caller !== 'key just made' && replies.get(name) !== answer.text)
      fail(where, 'replayed an answer of somebody else', answer.text);
    if (!replayed && key.length > 0 && answer.status < 300) replies.set(name, answer.text);
  };

  const checkUnchanged = async (where: string, { answer }: Told): Promise<void> => {
    if (rig.changes === null) return;
    const changed = await rig.changes();
    if (answer.status >= 400 && changed.length > 0)
      fail(where, `changed something and answered ${answer.status}: ${[...new Set(changed)].join(', ')}`, answer.text);
  };

  const request = async (step: Request, place: number): Promise<void> => {
    const operation = operations.get(step.operation);
    if (operation === undefined) throw new Error(`There is no ${step.operation}.`);
    service.clock.pass(BETWEEN);
    const surroundings = { cast, knowledge, forge: rig.forge, now: service.clock.read, nth: place };
    const composed = compose(operation, step, surroundings);
    const told = await exchange(operation.id, composed.message);
    const fault = oracle.faultOf(operation, told.message, told.answer, composed.value);
    if (fault !== null) fail(operation.id, fault, told.answer.text.slice(0, 2000));
    checkReplay(operation.id, step, told);
    await checkUnchanged(operation.id, told);
    if (told.answer.status < 300) knowledge.learn(operation, composed.path, told.answer);
  };

  const outside = async ({ method, path }: Outside): Promise<void> => {
    const headers = [['Host', '127.0.0.1'], ...cast.credentials('owner')] as const;
    const told = await exchange('(outside)', { method, target: path, headers, body: null });
    const fault = oracle.faultOutside(told.message, told.answer);
    if (fault !== null) fail('(outside)', `${method} ${path.slice(0, 60)} ${fault}`, told.answer.text.slice(0, 2000));
    await checkUnchanged('(outside)', told);
  };

  try {
    await rig.changes?.();
    for (const [place, step] of steps.entries()) {
      if (step.kind === 'request') await request(step, place);
      else if (step.kind === 'outside') await outside(step);
      else if (step.kind === 'wait') service.clock.pass(step.ms);
      else await addDemo(service.ports);
    }
    const alive = await exchange('checkAlive', {
      method: 'GET',
      target: '/livez',
      headers: [['Host', '127.0.0.1']],
      body: null,
    });
    if (alive.answer.status !== 200) fail('checkAlive', `is a ${alive.answer.status}`);
  } finally {
    connection.close();
  }
};
