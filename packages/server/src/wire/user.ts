import type { User as WireUser } from '@shipworthy/client/contract';
import type { User } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** A person with an account. */
export const wireUser = ({ id, email, emailVerified, name, administrator, createdAt }: User): WireUser => ({
  id,
  email,
  email_verified: emailVerified,
  name,
  administrator,
  created_at: wireMoment(createdAt),
});
