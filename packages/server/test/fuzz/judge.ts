import type { Cast } from './cast.js';
import { type Answer, type Connection, HOST, type Message } from './connection.js';
import type { Operation } from './description.js';
import type { Knowledge } from './knowledge.js';
import { type Composed, compose } from './message.js';
import type { Rig } from './rig.js';
import type { Outside, Request } from './step.js';

/** A sequence that went wrong: what, and every request as it was sent. */
export class SequenceFailure extends Error {
  override readonly name = 'SequenceFailure';
  constructor(
    /** The same text for the same defect, with any ids. */
    readonly sign: string,
    detail: string,
    readonly transcript: readonly string[],
  ) {
    super(`${sign}\n${detail}`);
  }
}

/** So much time goes by from one request to the next, in milliseconds. */
const BETWEEN = 40;
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|"[^"]{20,}"|\d{4,}/g;

const shown = ({ method, target, headers, body }: Message, status: number | string): string => {
  const given = headers.map(([name, value]) => `${name}: ${value.slice(0, 200)}`).join('; ');
  return `${method} ${target.slice(0, 400)} [${given}] ${body?.toString('utf8').slice(0, 1500) ?? ''} -> ${status}`;
};

interface Asked {
  readonly operation: Operation;
  readonly step: Request;
  readonly composed: Composed;
}

/** Sends the requests of one sequence and judges what comes back. Everything throws SequenceFailure. */
export interface Judge {
  /** One request, or several at the same time, each over a connection of its own. */
  requests(steps: readonly Request[], place: number): Promise<void>;
  outside(step: Outside): Promise<void>;
  /** Demands that the service still answers. */
  alive(): Promise<void>;
  /** What was changed so far was changed by others. */
  forgetChanges(): Promise<void>;
}

export const createJudge = (rig: Rig, cast: Cast, knowledge: Knowledge, connections: readonly Connection[]): Judge => {
  const { operations, oracle, tally, service } = rig;
  const transcript: string[] = [];
  const replies = new Map<string, string>();

  const fail = (where: string, fault: string, detail = ''): never => {
    const logged = rig.faults.splice(0).join('\n');
    const sign = `${where} ${fault}`.replace(IDS, '#').slice(0, 300);
    throw new SequenceFailure(sign, `${detail}\n${logged}`, transcript);
  };

  const exchange = async (where: string, message: Message, nth = 0): Promise<Answer> => {
    try {
      const answer = await connections[nth]?.exchange(message);
      if (answer === undefined) throw new Error('There is no connection left.');
      transcript.push(shown(message, answer.status));
      tally.count(where, answer.status);
      return answer;
    } catch (error) {
      transcript.push(shown(message, 'nothing'));
      return fail(where, 'was not answered', String(error));
    }
  };

  /** A replayed answer is one that the same caller got for the same request before. */
  const checkReplay = ({ operation, step, composed: { message } }: Asked, { headers, text, status }: Answer): void => {
    const key = message.headers.filter(([name]) => name === 'Idempotency-Key').map(([, value]) => value);
    const name = JSON.stringify([step.caller, message.method, message.target.split('?', 1), key]);
    const replayed = headers['idempotent-replayed'] === 'true';
    if (replayed && step.caller !== 'key just made' && replies.get(name) !== text)
      fail(operation.id, 'replayed an answer of another caller', text);
    if (!replayed && key.length > 0 && status < 300) replies.set(name, text);
  };

  const checkUnchanged = async (where: string, { status, text }: Answer): Promise<void> => {
    const changed = (await rig.changes?.()) ?? [];
    if (status < 400 || changed.length === 0) return;
    const [first] = changed;
    fail(where, `was refused with ${status} and changed something: ${first}`, `${changed.join(', ')}\n${text}`);
  };

  const ask = (step: Request, place: number): Asked => {
    const operation = operations.get(step.operation);
    if (operation === undefined) throw new Error(`There is no ${step.operation}.`);
    const surroundings = { cast, knowledge, forge: rig.forge, now: service.clock.read, nth: place };
    return { operation, step, composed: compose(operation, step, surroundings) };
  };

  const judge = (asked: Asked, answer: Answer): void => {
    const { operation, composed } = asked;
    const fault = oracle.faultOf(operation, composed.message, answer, composed.value);
    if (fault !== null) fail(operation.id, fault, answer.text.slice(0, 2000));
    checkReplay(asked, answer);
    if (answer.status < 300) knowledge.learn(operation, composed.path, answer);
  };

  return {
    async requests(steps, place) {
      service.clock.pass(BETWEEN);
      const asked = steps.map((step) => ask(step, place));
      const answers = await Promise.all(
        asked.map(({ operation, composed }, nth) => exchange(operation.id, composed.message, nth)),
      );
      const told = asked.flatMap((each, nth) => {
        const answer = answers[nth];
        return answer === undefined ? [] : [{ each, answer, replayed: 'idempotent-replayed' in answer.headers }];
      });
      // Of requests sent at the same time, the one that was carried out is judged first: the replays repeat its answer.
      for (const { each, answer } of told.sort((a, b) => Number(a.replayed) - Number(b.replayed))) judge(each, answer);
      const [only, ...others] = told;
      if (only === undefined || others.length > 0) await rig.changes?.();
      else await checkUnchanged(only.each.operation.id, only.answer);
    },
    async outside({ method, path }) {
      const message = { method, target: path, headers: [HOST, ...cast.credentials('owner')], body: null };
      const answer = await exchange('(outside)', message);
      const fault = oracle.faultOutside(message, answer);
      if (fault !== null) fail('(outside)', `${method} ${path.slice(0, 60)} ${fault}`, answer.text.slice(0, 2000));
      await checkUnchanged('(outside)', answer);
    },
    async alive() {
      const { status } = await exchange('checkAlive', { method: 'GET', target: '/livez', headers: [HOST], body: null });
      if (status !== 200) fail('checkAlive', `is a ${status}`);
    },
    async forgetChanges() {
      await rig.changes?.();
    },
  };
};
