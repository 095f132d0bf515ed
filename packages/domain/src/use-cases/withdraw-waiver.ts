import { notFound } from '../errors.js';
import type { Waiver } from '../readiness/waiver.js';
import type { ChangePorts } from './change.js';
import { changeOpenRelease, type InRelease, noteRelease } from './in-release.js';

export interface WithdrawWaiver extends InRelease {
  readonly waiverId: string;
}

/** Withdraws a waiver; the record stays, and withdrawing again changes nothing. Role owner. @throws DomainError `not-found`, `forbidden`, `release-closed` */
export const withdrawWaiver =
  (ports: ChangePorts) =>
  (command: WithdrawWaiver): Promise<Waiver> =>
    changeOpenRelease(ports, command, 'owner', async (changing) => {
      const { stores, release, now, by } = changing;
      const waiver = (await stores.waivers.ofRelease(release.id)).find((one) => one.id === command.waiverId);
      if (waiver === undefined) throw notFound('waiver');
      const who = by.principal.name;
      if (!(await stores.waivers.withdraw(release.id, waiver.id, now, who))) return waiver;
      await noteRelease(changing, 'waiver.withdraw', { code: waiver.code, axis: waiver.axis });
      return { ...waiver, withdrawnAt: now, withdrawnBy: who };
    });
