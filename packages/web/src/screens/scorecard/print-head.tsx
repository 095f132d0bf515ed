import type { ReadinessReport } from '@shipworthy/client';
import { useEffect, useRef } from 'preact/hooks';
import { momentText } from '../../wording/moments.js';
import { RELEASE_STATES } from '../../wording/names.js';

/** What a sheet of paper must say that a screen need not: when it was printed, and from where. */
export const PrintHead = ({ report }: { readonly report: ReadinessReport }) => {
  const printed = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // At once, since the sheet is taken before anything is rendered again.
    const note = () => {
      if (printed.current !== null) printed.current.textContent = momentText(Date.now());
    };
    note();
    addEventListener('beforeprint', note);
    return () => removeEventListener('beforeprint', note);
  }, []);
  return (
    <p class="on-paper">
      {RELEASE_STATES[report.release.state]} release. Report as of {momentText(report.frozen_at ?? report.as_of)},
      printed <span ref={printed} /> from {location.host}
    </p>
  );
};
