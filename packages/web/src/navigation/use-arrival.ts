import { useLayoutEffect, useRef } from 'preact/hooks';

const PRODUCT = 'Shipworthy';
let arrivals = 0;
/** Whether the person came by the browser's back or forward, which puts the page where it was left. */
let isReturning = false;

addEventListener('popstate', ({ isTrusted }) => {
  isReturning = isTrusted;
});
addEventListener('click', () => {
  isReturning = false;
});

/** Names the page and moves the focus to its heading, as soon as there is one; not upon the very first screen. */
export const useArrival = (title: string | undefined) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrived = useRef(false);
  // In the same step as the heading, not a frame later: a slow machine showed a page without its name.
  useLayoutEffect(() => {
    if (title === undefined) return;
    document.title = `${title} · ${PRODUCT}`;
    if (arrived.current) return;
    arrived.current = true;
    if (arrivals > 0) heading.current?.focus({ preventScroll: isReturning });
    arrivals += 1;
  }, [title]);
  return heading;
};
