import { EXIT, type ExitCode } from '../exit-code.js';
import { Failure, isOutage } from '../failure.js';
import type { Session } from '../session.js';
import { flushQuietly } from '../spool/flush.js';
import { keepLoudly, sendEntry, strictFailure } from '../spool/report-or-keep.js';
import { newReference } from '../spool/spool.js';
import type { DeployOptions } from './deploy-options.js';
import { datedStart, readDeployment, startEntry } from './deployment-start.js';
import { saySent } from './say-deployment.js';

/**
 * Reports that a deployment begins and prints its id; during an outage a reference that `deploy finish` on this machine takes in
 * its place. Failure (exit 2, 4) when it is refused, (exit 5) during an outage when reports are strict, nothing kept: whoever
 * stops there deploys nothing.
 */
export const startDeployment = async (session: Session, options: DeployOptions): Promise<ExitCode> => {
  const facts = await readDeployment(session, options);
  const connection = await session.connect();
  const entry = await startEntry(session, connection, facts, options);
  try {
    const sent = await sendEntry(session, connection, entry);
    const url = await saySent(session, connection, sent);
    await flushQuietly(session, connection);
    session.screen.answer(sent.id, { id: sent.id, report: 'sent', url });
  } catch (error) {
    if (!(error instanceof Failure) || !isOutage(error) || session.globals.dryRun) throw error;
    if (options.strictReport) throw strictFailure(error);
    const reference = newReference();
    const kept = await keepLoudly(session, datedStart(entry), error, reference);
    session.screen.answer(reference, { id: reference, report: kept === undefined ? 'lost' : 'kept', url: null });
  }
  return EXIT.done;
};
