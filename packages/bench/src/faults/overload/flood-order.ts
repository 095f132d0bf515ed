/** Requests at a fixed rate, whether those before are answered or not: what nobody holds back. */
export interface FloodOrder {
  readonly port: number;
  /** As they go over the wire, taken in turns, with `SEQUENCE` where each differs from the others. */
  readonly requests: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  /** Beyond these a request that is due is not sent: who floods has an end, too. */
  readonly mostConnections: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly patienceMs: number;
}

/** What came of a flood. */
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
