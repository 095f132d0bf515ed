import { FORMATS, type Schema } from '@shipworthy/client/contract';
import type { Fault } from '@shipworthy/domain';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { faultOf, MOST_FAULTS } from './fault.js';

/** Answers the faults of a value, twenty at most; none when it is as the schema says. */
export type Check = (value: unknown) => readonly Fault[];

const NONE: readonly Fault[] = [];

// Never coerceTypes (null becomes 0) and never $data (a body would choose its own limits).
const OPTIONS = {
  strict: true,
  allowUnionTypes: true,
  formats: FORMATS,
  ownProperties: true,
  // The schemas are the contract's own, and its tests hold them against the meta-schema; compiling that takes each instance
  // longer than all schemas of a request.
  validateSchema: false,
} as const satisfies Options;

const BRANCH = /^(.*\/oneOf)\/(\d+)\//;

const isAbout = (error: ErrorObject, keyword: string): boolean => error.keyword === keyword;

/** Of the branches of a `oneOf` that all failed, the one that came nearest: it did not fail by its very kind, and by the least. */
const nearestBranch = (union: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const [, schema, index] = BRANCH.exec(error.schemaPath) ?? [];
    if (schema !== union.schemaPath || index === undefined) continue;
    branches.set(index, [...(branches.get(index) ?? []), error]);
  }
  const sameKind = [...branches.values()].filter(
    (branch) => !branch.some((error) => error.instancePath === union.instancePath && isAbout(error, 'type')),
  );
  const [nearest] = sameKind.sort((a, b) => a.length - b.length);
  return nearest ?? [union];
};

const plainErrors = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  errors.flatMap((error) => {
    if (BRANCH.test(error.schemaPath)) return [];
    return isAbout(error, 'oneOf') ? nearestBranch(error, errors) : [error];
  });

// Ajv keeps what it compiled: the servers of one process share it.
const first = new Ajv2020({ ...OPTIONS, allErrors: false });
const all = new Ajv2020({ ...OPTIONS, allErrors: true });

/** Returns the check of a schema of the contract. It is compiled at its first use: all at once would take most of a start. */
export const checkOf = (schema: Schema): Check => {
  let passes: ValidateFunction | undefined;
  // Most values have no fault, so the slower validator that looks for all of them is compiled only when there is one.
  let listAll: ValidateFunction | undefined;
  return (value) => {
    passes ??= first.compile(schema);
    if (passes(value)) return NONE;
    listAll ??= all.compile(schema);
    listAll(value);
    return plainErrors(listAll.errors ?? [])
      .slice(0, MOST_FAULTS)
      .map(faultOf);
  };
};
