import type { Schema } from '@shipworthy/client/contract';
import {
  basisFaults,
  changedPolicy,
  DEFAULT_POLICY,
  factsOfVerdict,
  policyChangesOf,
  policyFaults,
  type ReportBasis,
  recomputeVerdict,
  waiverOfVerdict,
} from '@shipworthy/domain/readiness';
import { EXIT } from '../exit-code.js';
import { Failure } from '../failure.js';
import { faultLine, type SchemaFault, schemaFaults } from '../schema/schema-faults.js';
import type { World } from '../world.js';
import { FACTS_FILE, type FactsFile } from './facts-schema.js';
import { notRecomputable } from './not-recomputable.js';
import { readJson } from './read-json.js';
import { isObject, predicateIn } from './unwrap-verdict.js';

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

/** A copy of what a later version wrote, with the members that the schema names: those that it does not know are left out. */
const knownMembers = (schema: Schema, value: unknown): unknown => {
  const { items, properties } = schema.oneOf?.find(({ type }) => type === 'object') ?? schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((one) => knownMembers(items, one));
  if (!isObject(value) || properties === undefined) return value;
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(known.map(([name, property]) => [name, knownMembers(property, value[name])]));
};

/** What a verdict was computed from. A later service may have written more into it. Failure (exit 5) where that cannot be judged here. */
const basisOfVerdict = (predicate: Readonly<Record<string, unknown>>): unknown => {
  const again = recomputeVerdict(predicate);
  const unknown = notRecomputable(again);
  // What does not fit is named at its place, as in any file.
  if (unknown !== undefined && again.outcome !== 'unfit') throw unknown;
  return knownMembers(FACTS_FILE, predicate);
};

/** What a report is computed from, read from a file of facts or a signed verdict. Failure (exit 2) naming every fault at once. */
export const readBasis = async (world: Pick<World, 'stdin' | 'folder' | 'now'>, file: string): Promise<ReportBasis> => {
  const { name, value } = await readJson(world, file);
  const verdict = predicateIn(value);
  const unwrapped = verdict === undefined ? value : basisOfVerdict(verdict);
  const misfits = schemaFaults(FACTS_FILE, unwrapped);
  if (misfits.length > 0) throw faultyInput(name, misfits);
  // The schema has just been found to hold.
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
