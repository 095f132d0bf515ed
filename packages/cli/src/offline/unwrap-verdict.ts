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
export const predicateIn = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isObject(value)) return undefined;
  if (isObject(value.verdict)) return predicateIn(value.verdict);
  if (typeof value.payload === 'string' && 'signatures' in value) return predicateIn(payloadOf(value.payload));
  if ('predicateType' in value) return predicateIn(value.predicate);
  return 'result' in value && 'formula' in value ? value : undefined;
};
