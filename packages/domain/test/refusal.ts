import { expect } from 'chai';
import { DomainError, type ErrorCode, type Fault } from '../src/errors.js';

const checked = (thrown: unknown, code: ErrorCode): DomainError => {
  expect(thrown).to.be.instanceOf(DomainError);
  if (!(thrown instanceof DomainError)) throw new Error('unreachable');
  expect(thrown.code, thrown.message).to.equal(code);
  return thrown;
};

/** The refusal of that code the work must throw. */
export const refusal = (work: () => unknown, code: ErrorCode): DomainError => {
  let thrown: unknown;
  try {
    work();
  } catch (error) {
    thrown = error;
  }
  return checked(thrown, code);
};

/** The refusal of that code the promise must end in. */
export const refused = async (work: Promise<unknown>, code: ErrorCode): Promise<DomainError> =>
  checked(
    await work.then(
      () => undefined,
      (error: unknown) => error,
    ),
    code,
  );

/** The pointers of the faults a refusal or a rule names. */
export const pointers = (faults: unknown): readonly string[] => (faults as readonly Fault[]).map((one) => one.pointer);
