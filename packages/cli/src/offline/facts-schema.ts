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

type Sent = WireFacts;
type Loose<Shape, Name extends keyof Shape> = Omit<Shape, Name> & Partial<Pick<Shape, Name>>;

/** What a file of facts holds, in the form a signed verdict carries it. What it need not say has the value it mostly has. */
export interface FactsFile {
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

/** The schema of FactsFile. All five axes must be stated, so that none is taken for well by being forgotten. */
export const FACTS_FILE: Schema = {
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
