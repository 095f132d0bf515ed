import type { SignInStore } from '@shipworthy/domain';
import type { TableAccess } from './table-access.js';
import { keyOf } from './tables.js';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

export const signInStore = ({ change }: TableAccess): SignInStore => ({
  attempt: (attempt) =>
    change(({ attempts, knownAddresses }) => {
      attempts.put(attempt.id, attempt);
      const { account, address, at } = attempt;
      const ofAccount = attempts.where('account', account).filter((each) => each.at > at - HOUR);
      const ofAddress = attempts.where('address', address).filter((each) => each.at > at - MINUTE);
      return {
        pair: ofAddress.filter((each) => each.account === account).length,
        address: ofAddress.length,
        account: ofAccount.length,
        addressKnown: knownAddresses.get(keyOf(account, address)) === true,
      };
    }),
  succeeded: ({ id, account, address }) =>
    change(({ attempts, knownAddresses }) => {
      attempts.remove(id);
      knownAddresses.put(keyOf(account, address), true);
    }),
  removeBefore: (at) =>
    change(({ attempts }) => {
      const old = attempts.all().filter((each) => each.at < at);
      for (const { id } of old) attempts.remove(id);
      return old.length;
    }),
});
