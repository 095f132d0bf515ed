import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../figures.js';
import { type LoadAnswer, type LoadConnection, openConnection } from '../load/connection.js';
import { SEQUENCE_PLACEHOLDER, sequenceText } from '../load/load-process.js';
import { sendOrder, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';

const TICK_MS = 5;
const REFUSALS: readonly number[] = [429, 503];

const closes = ({ head }: LoadAnswer): boolean => /\r\nconnection: *close/i.test(head);

/** Sends a flood and returns the answers by status. An answer after its time limit is never counted. */
export const runFlood = async (order: FloodOrder): Promise<FloodResult> => {
  const texts = order.requests.map((request) => request.split(SEQUENCE_PLACEHOLDER));
  const free: LoadConnection[] = [];
  const answers: Record<number, number> = {};
  const breaks: Record<string, number> = {};
  const took: number[] = [];
  const [sums, open] = [
    { sent: 0, unsent: 0, withoutRetryAfter: 0 },
    { connections: 0, waiting: 0 },
  ];

  const note = (answer: LoadAnswer, sentAt: number): void => {
    answers[answer.status] = (answers[answer.status] ?? 0) + 1;
    took.push(performance.now() - sentAt);
    const isRefusal = REFUSALS.includes(answer.status);
    if (isRefusal && !/\r\nretry-after: *[1-9]/i.test(answer.head)) sums.withoutRetryAfter += 1;
  };
  const connected = async (): Promise<LoadConnection> => {
    const known = free.pop();
    if (known !== undefined) return known;
    open.connections += 1;
    return openConnection(order.port);
  };
  const one = async (text: string): Promise<void> => {
    const sentAt = performance.now();
    open.waiting += 1;
    try {
      const connection = await connected();
      const answer = await connection.ask(text);
      note(answer, sentAt);
      if (closes(answer)) {
        connection.end();
        open.connections -= 1;
      } else free.push(connection);
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      breaks[message] = (breaks[message] ?? 0) + 1;
      open.connections -= 1;
    } finally {
      open.waiting -= 1;
    }
  };
  const sendDue = (due: number): void => {
    for (; sums.sent + sums.unsent < due; ) {
      const number = sums.sent + sums.unsent;
      if (free.length === 0 && open.connections >= order.mostConnections) sums.unsent += 1;
      else {
        sums.sent += 1;
        void one((texts[number % texts.length] ?? []).join(sequenceText(number)));
      }
    }
  };

  const begin = performance.now();
  const elapsed = (): number => performance.now() - begin;
  for (; elapsed() < order.seconds * 1_000; await pause(TICK_MS)) sendDue((elapsed() * order.perSecond) / 1_000);
  const until = performance.now() + order.patienceMs;
  while (open.waiting > 0 && performance.now() < until) await pause(TICK_MS);
  const result = { ...sums, answers, breaks, unanswered: open.waiting, seconds: elapsed() / 1_000 };
  for (const connection of free) connection.end();
  return { ...result, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
};

/** Requests at a fixed rate, whether those before are answered or not. */
export interface FloodOrder {
  readonly port: number;
  /** The requests as bytes on the wire, sent in turns, with `SEQUENCE_PLACEHOLDER` where each differs from the others. */
  readonly requests: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  /** Most connections; a due request beyond them is not sent. */
  readonly mostConnections: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly patienceMs: number;
}

/** The result of a flood. */
export interface FloodResult {
  readonly sent: number;
  /** Due, with no connection left to send them on. */
  readonly unsent: number;
  /** Answers by status. */
  readonly answers: Readonly<Record<number, number>>;
  /** Refusals (429, 503) that do not say when to come again. */
  readonly withoutRetryAfter: number;
  /** Connections that did not come about, or broke off before the answer was there, by what the system said. */
  readonly breaks: Readonly<Record<string, number>>;
  /** Not answered while they were waited for. */
  readonly unanswered: number;
  /** Milliseconds to an answer. */
  readonly p50: number;
  readonly p99: number;
  /** From the first request until the last answer. */
  readonly seconds: number;
}

/** Starts the process that floods. Returns a function that sends an order and resolves to its result. */
export const startFlooding = (workshop: Workshop): ((order: FloodOrder) => Promise<FloodResult>) => {
  const child = startChild(workshop, { program: new URL('./flood-main.js', import.meta.url).href });
  return (order) => sendOrder(child, order, 'The flood failed');
};
