import type { Account, Moment } from './records.js';

/** Gives ids and moments to new records of the world. */
export interface Registry {
  nextId(): number;
  nodeId(kind: string, id: number): string;
  /** The moment given, or now, in whole seconds. */
  moment(at?: Moment): Moment;
  /** Makes a record found by its node id. */
  know<Known extends object>(nodeId: string, record: Known): Known;
  forget(nodeId: string): void;
  /** The account of that name, made if there is none. */
  account(login: string, kind?: Account['kind']): Account;
}
