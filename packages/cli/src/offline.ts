import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ReadinessReport } from '@shipworthy/client';
import {
  OpsFacts,
  type Schema,
  VerdictFacts,
  VerificationFacts,
  Waiver,
  WhatIfRequest,
  type VerdictFacts as WireFacts,
  type Waiver as WireWaiver,
  type WhatIfRequest as WireWhatIf,
} from '@shipworthy/client/contract';
import {
  basisFaults,
  changedPolicy,
  DEFAULT_POLICY,
  factsOfVerdict,
  judgementForm,
  policyChangesOf,
  policyFaults,
  type Recomputation,
  type ReadinessReport as Report,
  type ReportBasis,
  recomputeVerdict,
  waiverOfVerdict,
} from '@shipworthy/domain/readiness';
import { EXIT, Failure, usageFailure, VERDICT_NOT_RECOMPUTABLE } from './failure.js';
import { faultLine, type SchemaFault, schemaFaults } from './schema.js';
import type { World } from './world.js';

/** Failure (exit 2) naming every fault at its place. */
export const faultyInput = (name: string, faults: readonly SchemaFault[]): Failure =>
  new Failure(EXIT.usage, `${name} cannot be judged.`, { code: 'invalid', faults: faults.map(faultLine) });

const factsOf = ({ facts }: FactsFile, asOf: string): ReportBasis['facts'] =>
  factsOfVerdict({
    ...facts,
    ops: { open_items: [], ...facts.ops },
    verification: facts.verification && {
      ran_at: asOf,
      suite: null,
      commit_sha: null,
      runs: 1,
      ...facts.verification,
    },
  });

const under = (place: string, faults: readonly SchemaFault[]): readonly SchemaFault[] =>
  faults.map(({ pointer, message }) => ({ pointer: place + pointer, message }));

/** Copies a value that a later version may have written, with only those members that the schema names. */
const knownMembers = (schema: Schema, value: unknown): unknown => {
  const { items, properties } = schema.oneOf?.find(({ type }) => type === 'object') ?? schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((one) => knownMembers(items, one));
  if (!isObject(value) || properties === undefined) return value;
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(known.map(([name, property]) => [name, knownMembers(property, value[name])]));
};

/** The inputs of a verdict, without members of later services. Failure (exit 5) when this version cannot judge it. */
const basisOfVerdict = (predicate: Readonly<Record<string, unknown>>): unknown => {
  const again = recomputeVerdict(predicate);
  const unknown = notRecomputable(again);
  // `unfit` is not thrown here: `readBasis` names each member that does not fit by its place, as in any file.
  if (unknown !== undefined && again.outcome !== 'unfit') throw unknown;
  return knownMembers(FACTS_FILE, predicate);
};

/** Reads the inputs of a report from a file of facts or a signed verdict. Failure (exit 2) naming every fault. */
export const readBasis = async (world: Pick<World, 'stdin' | 'folder' | 'now'>, file: string): Promise<ReportBasis> => {
  const { name, value } = await readJson(world, file);
  const verdict = predicateIn(value);
  const unwrapped = verdict === undefined ? value : basisOfVerdict(verdict);
  const misfits = schemaFaults(FACTS_FILE, unwrapped);
  if (misfits.length > 0) throw faultyInput(name, misfits);
  // The schema was checked above.
  const { facts: _, policy: { version: __, ...policy } = {}, waivers = [], as_of } = unwrapped as FactsFile;
  const asOf = as_of === undefined ? world.now() : Date.parse(as_of);
  const facts = factsOf(unwrapped as FactsFile, new Date(asOf).toISOString());
  const demands = changedPolicy(DEFAULT_POLICY, policyChangesOf(policy));
  const accepted = waivers.map((waiver) => waiverOfVerdict(waiver, ''));
  const zero = policyFaults(demands).filter(({ code }) => code === 'all_zero');
  const faults = [...basisFaults(facts, demands, asOf, accepted), ...under('/policy', zero)];
  if (faults.length > 0) throw faultyInput(name, faults);
  return { facts, policy: demands, waivers: accepted, asOf };
};

type Sent = WireFacts;
type Loose<Shape, Name extends keyof Shape> = Omit<Shape, Name> & Partial<Pick<Shape, Name>>;

/** The contents of a file of facts, in the form of a signed verdict. Missing members get their usual values. */
interface FactsFile {
  readonly facts: Omit<Sent, 'ops' | 'verification'> & {
    readonly ops: Loose<Sent['ops'], 'open_items'>;
    readonly verification: Loose<NonNullable<Sent['verification']>, 'ran_at' | 'suite' | 'commit_sha' | 'runs'> | null;
  };
  /** Any part of a policy; the rest is as it is by default. */
  readonly policy?: NonNullable<WireWhatIf['policy']> & { readonly version?: number };
  readonly waivers?: readonly WireWaiver[];
  /** The moment it is judged at; now unless given. */
  readonly as_of?: string;
}

const withoutNeedFor = (schema: Schema, ...names: readonly string[]): Schema => ({
  ...schema,
  required: (schema.required ?? []).filter((name) => !names.includes(name)),
});

const Policy: Schema = WhatIfRequest.properties.policy;

/** The schema of FactsFile. All five axes must be stated, so that a forgotten one does not count as good. */
const FACTS_FILE: Schema = {
  type: 'object',
  properties: {
    facts: {
      ...VerdictFacts,
      properties: {
        ...VerdictFacts.properties,
        ops: withoutNeedFor(OpsFacts, 'open_items'),
        verification: {
          oneOf: [withoutNeedFor(VerificationFacts, 'ran_at', 'suite', 'commit_sha', 'runs'), { type: 'null' }],
        },
      },
    },
    policy: { ...Policy, properties: { ...Policy.properties, version: { type: 'integer', minimum: 1 } } },
    waivers: { type: 'array', items: Waiver },
    as_of: Waiver.properties.created_at,
  },
  required: ['facts'],
  additionalProperties: false,
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const payloadOf = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
};

/**
 * The predicate of a verdict, if the value is one: the gate's whole answer, the envelope, the statement or the predicate itself.
 * Undefined for any other value. Signatures are not looked at.
 */
const predicateIn = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isObject(value)) return undefined;
  if (isObject(value.verdict)) return predicateIn(value.verdict);
  if (typeof value.payload === 'string' && 'signatures' in value) return predicateIn(payloadOf(value.payload));
  if ('predicateType' in value) return predicateIn(value.predicate);
  return 'result' in value && 'formula' in value ? value : undefined;
};

const MOST_BYTES = 16 * 1024 * 1024;

const readStdin = async (world: Pick<World, 'stdin'>): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of world.stdin) {
    pieces.push(Buffer.from(piece));
    bytes += pieces.at(-1)?.length ?? 0;
    if (bytes > MOST_BYTES) throw usageFailure('Standard input holds more than 16 MiB.');
  }
  return Buffer.concat(pieces).toString('utf8');
};

const readPath = async (path: string): Promise<string> => {
  try {
    if ((await stat(path)).size > MOST_BYTES) throw usageFailure(`${path} holds more than 16 MiB.`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.name !== 'Failure')
      throw usageFailure(`${path} cannot be read (${error.code}).`);
    throw error;
  }
};

/** Reads the JSON value of a file (`-`: standard input), with its name for messages. Failure (exit 2) if not JSON. */
export const readJson = async (
  world: Pick<World, 'stdin' | 'folder'>,
  file: string,
): Promise<{ readonly name: string; readonly value: unknown }> => {
  const name = file === '-' ? 'Standard input' : resolve(world.folder, file);
  const text = await (file === '-' ? readStdin(world) : readPath(name));
  try {
    return { name, value: JSON.parse(text.replace(/^\ufeff/, '')) };
  } catch (error) {
    throw usageFailure(`${name} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
};

/** A report that was computed here: like one of the service, but without project and release. */
export type LocalReport = Omit<ReadinessReport, 'project' | 'release' | 'frozen_at'>;

/** The report in the form the service answers it in. */
export const localReport = (report: Report): LocalReport => {
  const { axes, own_axes, ...rest } = judgementForm(report);
  // Each axis has facts of its own kind, which the type checker cannot follow; hence the casts.
  return {
    as_of: new Date(report.asOf).toISOString(),
    ...rest,
    axes: axes as unknown as ReadinessReport['axes'],
    ...(own_axes === undefined ? {} : { own_axes: own_axes as NonNullable<ReadinessReport['own_axes']> }),
  };
};

const MOST_FAULTS = 20;

/** Why this version cannot tell whether a verdict follows from its facts; undefined: it can. */
const unknownTo = (again: Recomputation): readonly string[] | undefined => {
  switch (again.outcome) {
    case 'unknown_formula':
      return ['/formula: is of a later version'];
    case 'unknown_members':
      return again.members.map((pointer) => `${pointer}: is not known, and it comes out otherwise without it`);
    case 'unfit':
      return again.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
    default:
      return undefined;
  }
};

/** The failure (exit 5) of a verdict that this version cannot compute again; undefined where it can. */
export const notRecomputable = (again: Recomputation): Failure | undefined => {
  const faults = unknownTo(again);
  if (faults === undefined) return undefined;
  return new Failure(EXIT.unchecked, 'The verdict cannot be recomputed by this version of shipworthy.', {
    code: VERDICT_NOT_RECOMPUTABLE,
    faults: faults.slice(0, MOST_FAULTS),
    fixes: ['Update shipworthy. Until then do not deploy by this verdict.'],
  });
};
