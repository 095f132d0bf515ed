import { harmless, inert, run, type TextSink, type World } from '@shipworthy/cli';

/** The result of a command line. */
export interface Performed {
  readonly exit: number;
  readonly document: Document | undefined;
}

/** Runs the command in this process: its words go to the log, its answer comes back. */
export const perform = async (
  world: World,
  argv: readonly string[],
  onSaid: (text: string) => void = () => undefined,
): Promise<Performed> => {
  const answer = keeping();
  const exit = await run(argv, { ...world, stdout: answer, stderr: handingOn(world.stderr, onSaid) });
  return { exit, document: readDocument(answer.text()) };
};

/** Text of a server, a file or an input for the log: it steers no terminal, reorders no line, and holds no command of the runner. */
export const logText = (text: string): string => inert(harmless(text));

/** Keeps what is written. */
const keeping = (): TextSink & { readonly text: () => string } => {
  const parts: string[] = [];
  return { write: (text) => parts.push(text), text: () => parts.join('') };
};

/** Passes on what is written, made inert, and calls `onText` with each text. */
const handingOn = (sink: TextSink, onText: (text: string) => void): TextSink => ({
  write: (text) => {
    onText(text);
    return sink.write(inert(text));
  },
});

/** Why a command ended without an answer. */
interface Told {
  readonly code: string;
  readonly message: string;
  readonly faults: readonly string[];
  readonly fixes: readonly string[];
}

export type Data = Readonly<Record<string, unknown>>;

/** The one document that `--json` prints. */
export type Document =
  | { readonly data: Data; readonly error: undefined }
  | { readonly data: undefined; readonly error: Told };

const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Reads the document; undefined where there is none, as after wrong usage. */
export const readDocument = (text: string): Document | undefined => {
  if (text.trim() === '') return undefined;
  const document: unknown = JSON.parse(text);
  if (!isRecord(document)) return undefined;
  const { data, error } = document;
  if (isRecord(data)) return { data, error: undefined };
  if (!isRecord(error)) return undefined;
  const { code, message, faults, fixes } = error;
  const told = { code: String(code), message: String(message), faults: asTexts(faults), fixes: asTexts(fixes) };
  return { data: undefined, error: told };
};

/** The members of an array of objects. */
export const recordsIn = (value: unknown): readonly Data[] => (Array.isArray(value) ? value.filter(isRecord) : []);
/** A member of an object inside. */
export const inside = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);
