import type { Member } from '@shipworthy/client';

/** How a person who acted in a team is gone. `left`: not a member now; an administrator may never have been one. */
export type Departure = 'left' | 'disabled';

/**
 * How a person who did something is gone; undefined: they are in the team still, or it is not known who it was.
 * @param members undefined: they are not known
 */
export const departureOf = (
  userId: string | null | undefined,
  members: readonly Pick<Member, 'user_id' | 'disabled'>[] | undefined,
): Departure | undefined => {
  if (userId == null || members === undefined) return undefined;
  const member = members.find(({ user_id }) => user_id === userId);
  if (member === undefined) return 'left';
  return member.disabled ? 'disabled' : undefined;
};
