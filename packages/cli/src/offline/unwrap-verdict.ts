const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const payloadOf = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
};

/**
 * What a verdict was computed from, if the value is one: the gate's whole answer, the envelope, the statement or its
 * predicate. Any other value as it is. Signatures are not looked at.
 */
export const unwrapVerdict = (value: unknown): unknown => {
  if (!isObject(value)) return value;
  if (isObject(value.verdict)) return unwrapVerdict(value.verdict);
  if (typeof value.payload === 'string' && 'signatures' in value) return unwrapVerdict(payloadOf(value.payload));
  if ('predicateType' in value) return unwrapVerdict(value.predicate);
  if (!('result' in value && 'formula' in value)) return value;
  const { facts, policy, waivers, as_of } = value;
  return { facts, policy, waivers, as_of };
};
