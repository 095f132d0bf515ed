import { isolated } from '../wording/isolate.js';
import { Icon } from './icon.js';
import { Notice } from './notice.js';

interface Proved {
  readonly email: string;
  /** Left out where an address is not yet that of an account. */
  readonly email_verified?: boolean;
  readonly mixed_scripts: boolean;
}

const MIXED = 'letters of different alphabets';

/** Marks a name or address that mixes alphabets: it may imitate another one. */
export const MixedScriptsWarning = () => (
  <>
    {' '}
    <span class="small marked">
      <Icon name="attention" /> {MIXED}
    </span>
  </>
);

/** Warns a person who has just made an invitation for an address of mixed alphabets. */
export const MixedAddress = () => (
  <Notice look="attention">
    <p>This address has {MIXED}. Check that it is the one you mean before you send the link.</p>
  </Notice>
);

/** The address of a person, marked where it is not verified, or where it or the name mixes alphabets. */
export const Address = ({ email, email_verified: verified = true, mixed_scripts: mixed }: Proved) => (
  <>
    <span class="small soft">
      <bdi>{email}</bdi>
      {verified ? null : ' (unverified)'}
    </span>
    {mixed ? <MixedScriptsWarning /> : null}
  </>
);

/** Returns the address with its marks as plain text, for lists to choose from. */
export const addressText = ({ email, email_verified: verified = true, mixed_scripts: mixed }: Proved): string => {
  const marks = [...(verified ? [] : ['unverified']), ...(mixed ? [MIXED] : [])];
  return marks.length === 0 ? isolated(email) : `${isolated(email)} (${marks.join(', ')})`;
};
