import { DomainError } from '@shipworthy/domain';
import { type Database, migrate } from '../database.js';
import { codeOf } from '../errors.js';
import type { Access } from '../sql.js';

/** How often the steps are tried again, in milliseconds. */
const AGAIN = 500;

const notYet = (): DomainError =>
  new DomainError('unavailable', 'The database could not be reached yet, and its schema may lack steps.');

/** Access that refuses everything until the schema is known to be up to date: tables may be missing. */
const heldBack = (access: Access, isUpToDate: () => boolean): Access => {
  const whenUpToDate = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!isUpToDate()) throw notYet();
    return work();
  };
  return {
    ...access,
    read: (...given) => whenUpToDate(() => access.read(...given)),
    write: (...given) => whenUpToDate(() => access.write(...given)),
    atomically: (work) => whenUpToDate(() => access.atomically(work)),
    tell: (events) => whenUpToDate(() => access.tell(events)),
  };
};

/**
 * A database that could not be reached when it was to be brought up to date: it is tried again and again until it is, and
 * is not ready and refuses everything (DomainError `unavailable`) until then.
 * @param fails is called for a failure that is no absence, such as a missing right; once while the same failure repeats
 */
export const migrateLater = (database: Database, fails: (error: unknown) => void): Database => {
  let isUpToDate = false;
  let isClosed = false;
  let told = '';
  let wake: () => void = () => {};
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, AGAIN).unref();
    });
  const tellOnce = (error: unknown): void => {
    if (error instanceof DomainError) return;
    const words = `${codeOf(error)} ${String(error)}`;
    if (words !== told) fails(error);
    told = words;
  };
  const catchUp = async (): Promise<void> => {
    while (!isUpToDate && !isClosed) {
      await pause();
      if (isClosed) return;
      await migrate(database).then(() => {
        isUpToDate = true;
      }, tellOnce);
    }
  };
  const caughtUp = catchUp();
  return {
    ...database,
    access: heldBack(database.access, () => isUpToDate),
    ready: async () => {
      await database.ready();
      if (!isUpToDate) throw notYet();
    },
    close: async () => {
      isClosed = true;
      wake();
      await caughtUp;
      await database.close();
    },
  };
};
