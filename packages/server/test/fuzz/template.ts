/**
 * Represents a value that an earlier answer held under the name; `nth` counts from the newest one. If no such value is
 * known, it represents the text `otherwise`.
 */
export class Known {
  constructor(
    readonly name: string,
    readonly nth: number,
    readonly otherwise: string,
  ) {}
  toString(): string {
    return `known ${this.name} ${this.nth}`;
  }
}

/** Represents the moment that is `offset` milliseconds after the time of the request. */
export class Moment {
  constructor(readonly offset: number) {}
  toString(): string {
    return `now ${this.offset} ms`;
  }
}

/** A value to send, with places to be filled in when it is sent. */
export type Template =
  | null
  | boolean
  | number
  | string
  | Known
  | Moment
  | readonly Template[]
  | { readonly [name: string]: Template };

/** What fills templates. */
export interface Filling {
  known(name: string, nth: number): string | number | undefined;
  now(): number;
}

/** The present value of a template. */
export const filled = (template: Template, filling: Filling): unknown => {
  if (template instanceof Known) return filling.known(template.name, template.nth) ?? template.otherwise;
  if (template instanceof Moment) return new Date(Math.max(0, filling.now() + template.offset)).toISOString();
  if (Array.isArray(template)) return template.map((each: Template) => filled(each, filling));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, filled(each, filling)]));
};
