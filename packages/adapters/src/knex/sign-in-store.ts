import type { SignInAttempt, SignInCounts, SignInStore } from '@shipworthy/domain';
import type { Access } from './access.js';
import { removeInPortions } from './portions.js';
import { insert, insertUnlessThere, remove } from './sql.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface CountsRow {
  readonly pair: number;
  readonly address: number;
  readonly account: number;
  readonly known: number;
}

const attempt = async (access: Access, { id, account, address, at }: SignInAttempt): Promise<SignInCounts> => {
  const { moment } = access.dialect;
  // Noted and committed by itself first: of many at once, each sees those before it.
  await insert(access, 'sign_in_attempts', { id, account, address, at: moment(at) });
  const [minute, hour] = [moment(at - MINUTE), moment(at - HOUR)];
  // Without an end: of two at once, the later one may be noted first, and clocks of instances differ.
  const [counts] = await access.write<CountsRow>(
    `select
      (select count(*) from sign_in_attempts where account = ? and address = ? and at > ?) as pair,
      (select count(*) from sign_in_attempts where address = ? and at > ?) as address,
      (select count(*) from sign_in_attempts where account = ? and at > ?) as account,
      (select count(*) from known_addresses where account = ? and address = ?) as known`,
    [account, address, minute, address, minute, account, hour, account, address],
  );
  return {
    pair: counts?.pair ?? 0,
    address: counts?.address ?? 0,
    account: counts?.account ?? 0,
    addressKnown: counts !== undefined && counts.known > 0,
  };
};

export const signInStore = (access: Access): SignInStore => ({
  attempt: (given) => attempt(access, given),
  succeeded: ({ id, account, address }) =>
    access.atomically(async (inside) => {
      await remove(inside, 'sign_in_attempts', 'id = ?', [id]);
      await insertUnlessThere(inside, 'known_addresses', { account, address }, 'account, address');
    }),
  removeBefore: (at) => removeInPortions(access, 'sign_in_attempts', 'at < ?', access.dialect.moment(at)),
});
