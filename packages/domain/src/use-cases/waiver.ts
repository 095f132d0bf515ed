import { DomainError, type Fault, invalid, notFound } from '../errors.js';
import { isExplanation } from '../names.js';
import type { Ports } from '../ports.js';
import type { AxisName } from '../readiness/axis.js';
import { isNoWorse, type WaivableCode, type Waiver } from '../readiness/waiver.js';
import { liveReport } from '../release/facts.js';
import { requireOpen } from '../release/release.js';
import type { Instant } from '../time.js';
import { type ChangePorts, type InRelease, noteRelease, runOpenReleaseChange, runReleaseChange } from './change.js';

/** Most waivers of a release, ended ones included; bounded because those that were not withdrawn are read with each report. */
const MOST_WAIVERS_OF_RELEASE = 500;

/** Longest life of a waiver, in milliseconds: 90 days. */
const LONGEST_WAIVER = 90 * 24 * 3_600_000;

export interface WaiveReason extends InRelease {
  readonly code: WaivableCode;
  /** The reason's axis; null for reasons without one. */
  readonly axis: AxisName | null;
  /** The reason's `actual` that the caller saw; undefined: the reason is accepted as it is now. */
  readonly actual?: number | null | undefined;
  /** Why it is accepted. */
  readonly text: string;
  /** When it expires: after now and within 90 days. */
  readonly expiresAt: Instant;
}

const waiverFaults = ({ text, expiresAt }: WaiveReason, now: Instant): readonly Fault[] => [
  ...(isExplanation(text) ? [] : [{ pointer: '/text', code: 'required', message: 'Say why the reason is accepted' }]),
  ...(expiresAt > now && expiresAt <= now + LONGEST_WAIVER
    ? []
    : [{ pointer: '/expires_at', code: 'out-of-range', message: 'A waiver expires after now and within 90 days.' }]),
];

/**
 * Accepts one reason the gate has now, waived already or not, at its present value, unless that is worse than what the
 * caller saw.
 * @throws DomainError `not-found`, `forbidden`, `release-closed`, `invalid`, `no-such-reason`, `reason-worse` with the
 * present reason as `current`
 */
export function waiveReason(ports: Pick<Ports, 'stores' | 'clock' | 'newId'>, command: WaiveReason): Promise<Waiver> {
  return runReleaseChange(ports, command, async (changing) => {
    const { stores, release, now, newId, by } = changing;
    const { code, axis, text, expiresAt } = command;
    const faults = waiverFaults(command, now);
    if (faults.length > 0) throw invalid(faults);
    requireOpen(release);
    if ((await stores.waivers.ofRelease(release.id)).length >= MOST_WAIVERS_OF_RELEASE) {
      const message = `A release has ${MOST_WAIVERS_OF_RELEASE} waivers at most, those that ended included.`;
      throw invalid([{ pointer: '/code', code: 'too-many', message }]);
    }
    const [inputs] = await stores.facts.factsFor([release.id]);
    if (inputs === undefined) throw notFound('release');
    const { reasons } = liveReport(inputs, now).gate;
    const reason = reasons.find((one) => one.code === code && one.axis === axis);
    if (reason === undefined)
      throw new DomainError('no-such-reason', 'The gate has no such reason now.', { code, axis });
    if (command.actual !== undefined && !isNoWorse(code, reason.actual, command.actual))
      throw new DomainError('reason-worse', `It is worse now: ${reason.message}.`, { current: reason });
    const unwithdrawn = { withdrawnAt: null, withdrawnBy: null };
    const made = { createdBy: by.principal.name, createdAt: now, expiresAt };
    const waiver = {
      id: newId(),
      releaseId: release.id,
      code,
      axis,
      text,
      actual: reason.actual,
      ...made,
      ...unwithdrawn,
    };
    await stores.waivers.add(waiver);
    await noteRelease(changing, 'waiver.sign', { code, axis, actual: reason.actual, text });
    return waiver;
  });
}

interface WithdrawWaiver extends InRelease {
  readonly waiverId: string;
}

/** Withdraws a waiver; the record stays, and withdrawing again changes nothing. @throws DomainError `not-found`, `forbidden`, `release-closed` */
export function withdrawWaiver(ports: ChangePorts, command: WithdrawWaiver): Promise<Waiver> {
  return runOpenReleaseChange(ports, command, async (changing) => {
    const { stores, release, now, by } = changing;
    const waiver = (await stores.waivers.ofRelease(release.id)).find((one) => one.id === command.waiverId);
    if (waiver === undefined) throw notFound('waiver');
    const who = by.principal.name;
    if (!(await stores.waivers.withdraw(release.id, waiver.id, now, who))) return waiver;
    await noteRelease(changing, 'waiver.withdraw', { code: waiver.code, axis: waiver.axis });
    return { ...waiver, withdrawnAt: now, withdrawnBy: who };
  });
}
