/** A text as a place may hold it. */
export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A value that must be nowhere but in the places that hand it out. */
export interface Secret {
  readonly name: string;
  readonly text: string;
  readonly handedOutBy?: readonly string[];
}

/** The text in base64 wherever it begins in a group of three bytes, without the edges that its neighbours change. */
const inBase64 = (text: string): readonly string[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    return whole.slice(before === 0 ? 0 : 4);
  });

/** The forms in which a text is found: as it is, in an address, in JSON, in hexadecimal, in either base64. */
const formsOf = (text: string): readonly string[] => {
  const base64 = inBase64(text);
  const hex = Buffer.from(text).toString('hex');
  const forms = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), hex, hex.toUpperCase()];
  return [...new Set([...forms, ...base64, ...base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_'))])];
};

/** Secrets in wrong places, as `secret in place`. */
export const tracesOf = (secrets: readonly Secret[], places: readonly Place[]): readonly string[] =>
  secrets.flatMap(({ name, text, handedOutBy = [] }) => {
    const forms = formsOf(text);
    return places
      .filter((place) => !handedOutBy.includes(place.name) && forms.some((form) => place.bytes.includes(form)))
      .map((place) => `${name} in ${place.name}`);
  });
