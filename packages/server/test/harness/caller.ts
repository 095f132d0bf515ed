import { type Agent, type IncomingMessage, request } from 'node:http';
import {
  type BodyOf,
  type Operation,
  type OperationId,
  type Operations,
  operations,
  type PathOf,
  type ProblemType,
  type QueryOf,
  type ResponseOf,
  type Problem as WireProblem,
} from '@shipworthy/client/contract';
import { expect } from 'chai';
import { checkAnswer, type RawAnswer } from './contract-check.js';

/** What a test sends: typed where it sends what the contract asks for, raw where it does not. */
export interface Sent<O extends Operation> {
  readonly path?: PathOf<O>;
  readonly query?: Partial<QueryOf<O>>;
  readonly body?: BodyOf<O>;
  /** Instead of `query` and `body`: text as a careless caller may send it. */
  readonly rawQuery?: string;
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer<Body> extends RawAnswer {
  readonly body: Body;
}
/** A problem with the members only some types carry. */
export type Refusal = WireProblem & Readonly<Record<string, unknown>>;

/** Calls operations over a real socket; every answer is checked against the contract. */
export interface Caller {
  /** Any answer the operation may give. */
  ask<Id extends OperationId>(id: Id, sent?: Sent<Operations[Id]>): Promise<Answer<unknown>>;
  /** The successful answer. */
  ok<Id extends OperationId>(id: Id, sent?: Sent<Operations[Id]>): Promise<Answer<ResponseOf<Operations[Id]>>>;
  /** A refusal of that very type. */
  refused<Id extends OperationId>(id: Id, type: ProblemType, sent?: Sent<Operations[Id]>): Promise<Answer<Refusal>>;
}

const textOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk);
    // A stream would go on for ever: its beginning is enough, and leaving it ends it.
    if (message.headers['content-type']?.startsWith('text/event-stream')) break;
  }
  return Buffer.concat(chunks).toString('utf8');
};

interface Request {
  readonly agent: Agent;
  readonly method: string;
  readonly headers: Record<string, string>;
}

const exchange = (url: URL, options: Request, body: string | undefined) =>
  new Promise<RawAnswer>((resolve, reject) => {
    const sent = request(url, options, (message) => {
      const answered = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
      textOf(message).then(
        (text) => resolve({ status: message.statusCode ?? 0, headers: Object.fromEntries(answered), text }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });

const pathOf = (operation: Operation, values: Readonly<Record<string, string>> = {}): string =>
  operation.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? expect.fail(`No ${name} was given.`));

const queryOf = (values: Readonly<Record<string, unknown>> = {}): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.append(name, String(value));
  return query.toString();
};

/** A caller of the service at `baseUrl` that shows the given credentials with every request. */
export const createCaller = (
  baseUrl: string,
  agent: Agent,
  credentials: Readonly<Record<string, string>>,
  table: Operations = operations,
): Caller => {
  const ask: Caller['ask'] = async (id, sent = {}) => {
    const operation: Operation = table[id];
    const path = pathOf(operation, sent.path);
    const query = sent.rawQuery ?? queryOf(sent.query);
    const body = sent.rawBody ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const headers = { ...credentials, ...type, ...length, ...sent.headers };
    const url = new URL(`${path}${query === '' ? '' : `?${query}`}`, baseUrl);
    const answer = await exchange(url, { agent, method: operation.method, headers }, body);
    checkAnswer(id, path, answer);
    const json = /json/.test(answer.headers['content-type'] ?? '');
    return { ...answer, body: json ? JSON.parse(answer.text) : undefined };
  };
  return {
    ask,
    async ok(id, sent) {
      const answer = await ask(id, sent);
      expect(answer.status, `${id}: ${answer.text}`).to.be.below(400);
      return answer as Answer<never>;
    },
    async refused(id, type, sent) {
      const answer = (await ask(id, sent)) as Answer<Refusal>;
      expect(answer.body?.type, `${id}: ${answer.status} ${answer.text}`).to.equal(`/api/docs/problems/${type}`);
      return answer;
    },
  };
};
