import { agoText, momentText } from '../wording/moments.js';

/** A moment as people say it, the exact one on hovering and for programs. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={momentText(at)}>
    {agoText(at)}
  </time>
);
