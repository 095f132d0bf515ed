import type { ProgramEnd } from '../../git/run-program.js';
import { couldNotCheck, type Finding, needsAction } from '../finding.js';

/** What git says, and what that means; the first that fits. `$host` stands for the host. */
const SAYINGS: readonly (readonly [RegExp, Finding])[] = [
  [
    /could not read (Username|Password)|terminal prompts disabled/,
    needsAction('git has no credentials for $host.', 'See the group Credentials: shipworthy doctor credentials'),
  ],
  [
    /Authentication failed|Invalid username or/,
    needsAction(
      '$host did not accept the credentials git has.',
      'See the group Credentials: shipworthy doctor credentials',
    ),
  ],
  [
    /Permission denied \(|Could not read from remote repository[\s\S]*publickey/,
    needsAction('$host accepts no SSH key of yours.', 'See the group Credentials: shipworthy doctor credentials'),
  ],
  [
    /Host key verification failed/,
    needsAction(
      'The SSH key of $host is not known here, or has changed.',
      'Connect once by ssh -T git@$host and compare its fingerprint with the one the host publishes.',
    ),
  ],
  [
    /certificate|CAfile|CERT_/i,
    needsAction(
      'git does not trust the certificate of $host.',
      'git config --global http.https://$host/.sslCAInfo /path/to/the-authority.pem',
    ),
  ],
  [
    /Could not resolve (host|proxy)/,
    couldNotCheck(
      'The name $host cannot be resolved.',
      'Check the network (VPN, proxy) and the address of the remote.',
    ),
  ],
  [
    /not found|returned error: 404|does not appear to be a git repository/i,
    needsAction(
      '$host knows no such repository, or hides it from you.',
      'Check the address by git remote -v, and at the host that you may read it.',
    ),
  ],
  [
    /returned error: 403/,
    couldNotCheck(
      '$host refused to answer (403); that says nothing about the credentials.',
      'Look at the repository in the browser: single sign-on, a limit, or a missing right.',
    ),
  ],
  [/returned error: 429/, couldNotCheck('$host limits requests now.', 'Try again later.')],
  [/returned error: 5\d\d/, couldNotCheck('$host failed.', 'Try again later; look at the status page of the host.')],
  [
    /Operation too slow|timed? ?out|Operation timeout/i,
    couldNotCheck('$host stopped answering.', 'Check the network (VPN, proxy, firewall) and try again.'),
  ],
  [
    /unable to update url base from redirection|redirect/i,
    needsAction(
      '$host leads to another address.',
      'Open the address in the browser; correct the remote by git remote set-url.',
    ),
  ],
  [
    /Failed to connect|Connection refused|Connection reset|Couldn't connect|Empty reply|unexpected(ly)? (eof|closed)|Recv failure|SSL|gnutls|TLS|schannel/i,
    couldNotCheck('$host cannot be reached.', 'Check the network (VPN, proxy, firewall) and try again.'),
  ],
];

/** Why git failed to list the repository; git's own text is never shown, since it may quote what a server or helper said. */
export const judgeGit = ({ exit, stderr, timedOut, fault }: ProgramEnd, host: string): Finding => {
  const named = (text: string) => text.replaceAll('$host', host);
  if (timedOut)
    return couldNotCheck(`${host} stopped answering.`, 'Check the network (VPN, proxy, firewall) and try again.');
  const [, saying] = SAYINGS.find(([pattern]) => pattern.test(stderr)) ?? [];
  if (saying === undefined)
    return couldNotCheck(
      `git ended with ${exit ?? fault ?? 'a signal'} for a reason that is not known here.`,
      'git ls-remote origin HEAD',
    );
  return { ...saying, what: named(saying.what), fix: saying.fix === undefined ? undefined : named(saying.fix) };
};
