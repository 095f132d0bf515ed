/** The media type of the content of a verdict's envelope: an in-toto statement. */
export const STATEMENT_MEDIA_TYPE = 'application/vnd.in-toto+json';
/** The version of that statement. */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** The type of the statement. It is a name only; no program fetches it. */
export const VERDICT_TYPE = 'https://shipworthy.dev/verdict/v1';
