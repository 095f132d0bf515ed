import type { ComponentChildren } from 'preact';
import { CopyText } from './copy-text.js';
import { Notice } from './notice.js';

interface OnceProps {
  /** What to do with it now. */
  readonly children: ComponentChildren;
  readonly texts: readonly (readonly [title: string, text: string])[];
}

/** What is answered once only, to be copied now; it is held in memory and nowhere else. */
export const Once = ({ children, texts }: OnceProps) => (
  <div class="stack">
    <Notice look="attention">
      <p role="alert">{children}</p>
    </Notice>
    {texts.map(([title, text]) => (
      <div class="stack tight" key={title}>
        <h3>{title}</h3>
        <CopyText label={title} text={text} />
      </div>
    ))}
  </div>
);
