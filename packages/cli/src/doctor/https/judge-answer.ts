import type { RawAnswer } from '../../network/ask.js';

/** The two services of git over HTTPS: reading and writing. */
export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** What an answer to the first request of git is. */
export type AnswerKind =
  | 'refs'
  | 'credentials'
  | 'sign_in_page'
  | 'elsewhere'
  | 'missing'
  | 'refused'
  | 'limited'
  | 'failing'
  | 'proxy'
  | 'other';

const mediaType = (answer: RawAnswer): string =>
  answer.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isLimited = ({ status, headers }: RawAnswer): boolean =>
  status === 429 ||
  (status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'));

/** Judges by status and content type, never by the text: a page that asks to sign in comes with 200, and git takes it for an empty repository. */
export const judgeAnswer = (answer: RawAnswer, service: GitService): AnswerKind => {
  const { status, headers } = answer;
  const type = mediaType(answer);
  if (status === 200) {
    if (type === `application/x-${service}-advertisement`) return 'refs';
    return type === 'text/html' ? 'sign_in_page' : 'other';
  }
  if (status === 401) return headers['www-authenticate'] === undefined ? 'sign_in_page' : 'credentials';
  if (status === 407) return 'proxy';
  if (status === 511) return 'sign_in_page';
  if (status >= 300 && status < 400) return 'elsewhere';
  if (isLimited(answer)) return 'limited';
  if (status === 403) return 'refused';
  if (status === 404 || status === 410) return 'missing';
  return status >= 500 ? 'failing' : 'other';
};
