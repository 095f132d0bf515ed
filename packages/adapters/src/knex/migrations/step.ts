import type { Dialect } from '../dialect.js';

/** One step forward of the schema. Steps are never changed once released: the next change is a new step. */
export interface SchemaStep {
  readonly name: string;
  /** Carried out in order, in one transaction. */
  statements(dialect: Dialect): readonly string[];
}
