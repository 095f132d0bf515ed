import { parsedUrl } from '@shipworthy/client/contract';
import type { RawAnswer } from '../../network/ask.js';
import { couldNotCheck, type Finding, needsAction, ready } from '../finding.js';
import { type AnswerKind, judgeAnswer } from './judge-answer.js';

/** Origin of where an answer leads: path and query may hold what is nobody's business. */
const target = ({ url, headers: { location = '' } }: RawAnswer): string =>
  parsedUrl(location, url)?.origin ?? 'an address that is none';

const SIGN_IN = 'Open the address in a browser and sign in (proxy, single sign-on, guest network); then check again.';

const FINDINGS: Readonly<Record<AnswerKind, (host: string, answer: RawAnswer) => Finding>> = {
  refs: (host) => ready(`${host} answers as git expects, without credentials.`),
  credentials: (host) => ready(`${host} answers as git expects, and asks for credentials.`),
  sign_in_page: (host, { status }) =>
    needsAction(`A sign-in page answered for ${host} (${status}), which git takes for an empty repository.`, SIGN_IN),
  elsewhere: (host, answer) =>
    needsAction(
      `${host} leads to ${target(answer)}, where git would take your credentials next.`,
      `If that is a sign-in page: ${SIGN_IN} If the repository moved: git remote set-url.`,
    ),
  missing: (host, { status }) =>
    needsAction(
      `${host} knows no such repository, or hides it (${status}).`,
      'Check the address by git remote -v, and at the host that you may read it.',
    ),
  proxy: () =>
    needsAction(
      'A proxy wants somebody to sign in first (407).',
      'Sign in at the proxy, or put user and password into HTTPS_PROXY.',
    ),
  refused: (host) =>
    couldNotCheck(
      `${host} refused to answer (403).`,
      'Open the address in a browser: single sign-on, a limit, or a blocked network.',
    ),
  limited: (host, { status }) => couldNotCheck(`${host} limits requests now (${status}).`, 'Try again later.'),
  failing: (host, { status }) =>
    couldNotCheck(`${host} failed (${status}).`, 'Try again later; look at the status page of the host.'),
  other: (host, { status }) =>
    couldNotCheck(
      `${host} answered ${status} with something that is not git's.`,
      'Open the address in a browser and look.',
    ),
};

/** What the host's answer to git's first request means. */
export const findingOfAnswer = (answer: RawAnswer, host: string): Finding =>
  FINDINGS[judgeAnswer(answer, 'git-upload-pack')](host, answer);
