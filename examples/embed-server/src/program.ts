import type { IncomingMessage, RequestListener } from 'node:http';
import type { ShipworthyOptions } from '@shipworthy/server';

/** An organisation's own program that serves Shipworthy below `/shipworthy`, beside its own routes. */
export interface Program {
  readonly listener: RequestListener;
  /** One line per request that was answered, by Shipworthy or not. */
  readonly answered: readonly string[];
  close(): Promise<void>;
}

export interface ProgramOptions extends ShipworthyOptions {
  /** Where people reach Shipworthy, `/shipworthy` included. */
  readonly baseUrl: URL;
}

/** Node's own request with its body as it arrived. Shipworthy hashes these bytes for `Idempotency-Key` and signatures. */
export interface RequestWithBytes extends IncomingMessage {
  rawBody?: Buffer;
}
