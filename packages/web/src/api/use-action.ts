import { useRef, useState } from 'preact/hooks';
import { type CallFault, callFaultOf } from './fault.js';
import { signedInAgain } from './session.js';

/** Something a person does that the server must agree to. */
export interface Action<Given extends readonly unknown[]> {
  readonly run: (...given: Given) => Promise<boolean>;
  readonly running: boolean;
  readonly fault: CallFault | undefined;
  readonly clear: () => void;
}

/** Adds the idempotency key to the input of a call that creates something. */
type Keyed = <Input extends object>(input: Input) => Input & { readonly idempotencyKey: string };

// `randomUUID` is missing on pages that came over plain http.
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/**
 * An action that creates something. After a fault that leaves open whether the server has stored it, a further run with the
 * same input sends the same key, so that it is not stored twice. The server refuses a key with another input: each has its own.
 */
export const useCreation = <Given extends readonly unknown[]>(
  perform: (keyed: Keyed, ...given: Given) => Promise<unknown>,
): Action<Given> => {
  /** By the input as text. */
  const keys = useRef(new Map<string, string>()).current;
  const keyed: Keyed = (input) => {
    const text = JSON.stringify(input);
    const idempotencyKey = keys.get(text) ?? newKey();
    keys.set(text, idempotencyKey);
    return { ...input, idempotencyKey };
  };
  return useAction(async (...given: Given) => {
    try {
      await perform(keyed, ...given);
    } catch (error) {
      if (!callFaultOf(error).mayBeDone) keys.clear();
      throw error;
    }
    keys.clear();
  });
};

/**
 * An action that refuses a second run during the first, and keeps its last fault. `run` resolves with whether it
 * succeeded. Where the session has ended, it waits until the person has signed in again, and then repeats the call.
 */
export const useAction = <Given extends readonly unknown[]>(
  perform: (...given: Given) => Promise<unknown>,
): Action<Given> => {
  const [running, setRunning] = useState(false);
  const [fault, setFault] = useState<CallFault | undefined>(undefined);
  const run = async (...given: Given): Promise<boolean> => {
    if (running) return false;
    setRunning(true);
    setFault(undefined);
    try {
      for (;;) {
        try {
          await perform(...given);
          return true;
        } catch (error) {
          const found = callFaultOf(error);
          if (found.signedOut && (await signedInAgain())) continue;
          setFault(found);
          return false;
        }
      }
    } finally {
      setRunning(false);
    }
  };
  return { run, running, fault, clear: () => setFault(undefined) };
};
