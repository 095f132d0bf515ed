import type { Instant } from '../instant.js';

/** Why there was no answer to a message. */
export const HOOK_FAILURES = [
  'refused_address',
  'unresolved',
  'unreachable',
  'secure_connection',
  'timeout',
  'cut',
  'secret_unreadable',
] as const;
export type HookFailure = (typeof HOOK_FAILURES)[number];

/** A message to be signed and sent. */
export interface HookMessage {
  /** The same at every try. */
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  /** When it is sent. */
  readonly at: Instant;
  readonly body: string;
  /** Sealed secrets, newest first: it is signed with each. */
  readonly secrets: readonly string[];
}

/** What came of a message; either a status or a failure. */
export interface HookAnswer {
  /** How long it took, in milliseconds. */
  readonly ms: number;
  readonly status: number | null;
  readonly failure: HookFailure | null;
  /** How long the receiver asked to wait; null: it did not. */
  readonly retryAfterMs: number | null;
}

/** Sends messages to addresses people name, which must not become a way into the network the service stands in. */
export interface HookSender {
  /** Why nothing would ever be sent there, as a sentence; null: it may be. Names are looked up only when something is sent. */
  refusal(url: string): string | null;
  /** A new signing secret for a webhook: once for its owner, and sealed. */
  newSecret(webhookId: string): { readonly secret: string; readonly sealed: string };
  /** Sends it once, within 10 seconds. Never throws. */
  send(message: HookMessage): Promise<HookAnswer>;
  /** The pause, give or take a tenth. */
  spread(ms: number): number;
}
