import {
  DomainError,
  type IdempotentRequest,
  type RememberAs,
  type RememberedReply,
  type Reported,
} from '@shipworthy/domain';
import { idIn, unlessItFails, type Weighing, withContributionsOf } from './weighed.js';

/** The answer to a report: its text is ready, whether it was made now or remembered from the first request. */
export interface ReportAnswer {
  readonly status: 201;
  readonly location: string | null;
  readonly text: string;
  readonly replayed: boolean;
}

const keyReused = (): DomainError =>
  new DomainError('idempotency-key-reused', 'The idempotency key was used for a request with another body.');

/** The text with the contributions asked for; as it is when they cannot be read. */
const weighedText = async <View>(
  text: string,
  stored: Reported<View>,
  replyOf: (view: View) => RememberedReply,
  { weigh, again }: Weighing<View>,
): Promise<string> => {
  const weighed = await unlessItFails(async () => {
    if ('view' in stored) return replyOf(await weigh(stored.view)).body;
    return withContributionsOf(text, replyOf(await again(idIn(text))).body);
  });
  return weighed ?? text;
};

/**
 * Answers a report. The reply's text is built once, be it only sent or also remembered with the record. Contributions are
 * asked for by `weighing`; they are of the moment of the answer, so they are never remembered.
 * @throws DomainError `idempotency-key-reused`, and whatever the report is refused with
 */
export const answerReport = async <View>(
  idempotency: IdempotentRequest | null,
  replyOf: (view: View) => RememberedReply,
  report: (remember: RememberAs<View> | null) => Promise<Reported<View>>,
  weighing: Weighing<View> | null = null,
): Promise<ReportAnswer> => {
  let built: { readonly view: View; readonly reply: RememberedReply } | null = null;
  const reply = (view: View): RememberedReply => {
    if (built?.view !== view) built = { view, reply: replyOf(view) };
    return built.reply;
  };
  const reported = await report(idempotency && { request: idempotency, reply });
  if (reported.outcome === 'key_reused') throw keyReused();
  const replayed = reported.outcome === 'replayed';
  const { location, body } = replayed ? reported.reply : reply(reported.view);
  const text = weighing === null ? body : await weighedText(body, reported, replyOf, weighing);
  return { status: 201, location, text, replayed };
};
