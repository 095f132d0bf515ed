import type { FromSchema, Schema } from '@shipworthy/client/contract';
import type { Desk } from './desk.js';

/** What a tool answers: text for whoever reads, and the same as the interface said it. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** `reads` changes nothing, `records` stores one more record each time, `settles` has no further effect when repeated. */
export type ToolEffect = 'reads' | 'records' | 'settles';

/** One question an agent can ask, or one report it can make. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly input: Schema;
  /** `args` has passed `input`. */
  readonly run: (desk: Desk, args: unknown) => Promise<ToolAnswer>;
}

interface ToolParts<S extends Schema> extends Omit<Tool, 'input' | 'run'> {
  readonly input: S;
  readonly run: (desk: Desk, args: FromSchema<S>) => Promise<ToolAnswer>;
}

/** A tool whose arguments have the type its schema describes. */
export const tool = <const S extends Schema>(parts: ToolParts<S>): Tool => ({
  ...parts,
  // The schema has judged them before.
  run: (desk, args) => parts.run(desk, args as FromSchema<S>),
});
