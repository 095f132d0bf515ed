import { useState } from 'preact/hooks';
import { type CallFault, callFaultOf } from './fault.js';
import { signedInAgain } from './session.js';

/** Something a person does that the server must agree to. */
export interface Action<Given extends readonly unknown[]> {
  readonly run: (...given: Given) => Promise<boolean>;
  readonly running: boolean;
  readonly fault: CallFault | undefined;
  readonly clear: () => void;
}

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
