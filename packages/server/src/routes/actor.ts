import type { Actor, Principal } from '@shipworthy/domain';

/** Who gives the command of a request, and from where. */
export const actorOf = ({
  principal,
  address,
  requestId,
}: {
  readonly principal: Principal;
  readonly address: string;
  readonly requestId: string;
}): Actor => ({ principal, address, requestId });
