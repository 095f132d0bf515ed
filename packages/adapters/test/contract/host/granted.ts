import { DomainError } from '@shipworthy/domain';
import type { Grant, HostAccess, HostAccount } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { HostStage } from './host-stage.js';

export const OWNER = 'ada';
/** Milliseconds for a call that is to go through, on a busy machine too. */
export const PATIENCE_MS = 60_000;

/** Access with a grant for so many milliseconds from now. */
export const accessWith = (stage: HostStage, grant: Grant, ms = PATIENCE_MS, ownerId = OWNER): HostAccess => ({
  ownerId,
  grant,
  deadline: stage.clock() + ms,
});

export interface Approved {
  readonly code: string;
  readonly sealedVerifier: string;
}

/** Goes the way of an approval up to its code. */
export const approved = async (stage: HostStage, redirectUrl = stage.redirectUrl): Promise<Approved> => {
  const approval = await stage.host.authorization.begin({ ownerId: OWNER, redirectUrl });
  const back = await stage.approve(approval.url);
  expect(back.href.startsWith(`${redirectUrl}?`), 'leads back to exactly where it was asked to').to.equal(true);
  expect(back.searchParams.get('state')).to.equal(approval.state);
  return { code: back.searchParams.get('code') ?? '', sealedVerifier: approval.sealedVerifier };
};

/** Exchanges what an approval led to. */
export const redeemed = (stage: HostStage, request: Approved & { readonly redirectUrl?: string }) =>
  stage.host.authorization.redeem({
    ownerId: OWNER,
    redirectUrl: stage.redirectUrl,
    deadline: stage.clock() + PATIENCE_MS,
    ...request,
  });

/** A grant by the real way: begun, approved at the host over sockets, redeemed. */
export const granted = async (
  stage: HostStage,
): Promise<{ readonly grant: Grant; readonly account: HostAccount; access(ms?: number): HostAccess }> => {
  const { grant, account } = await redeemed(stage, await approved(stage));
  return { grant, account, access: (ms) => accessWith(stage, grant, ms) };
};

/** The refusal that the call ends with; fails when it ends otherwise. */
export const refusal = async (call: Promise<unknown>): Promise<DomainError> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  return expect.fail('it should have been refused');
};
