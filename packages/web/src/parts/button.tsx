import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  /** The one that matters most on the screen, one that takes something away, one that looks like a link. */
  readonly look?: 'main' | 'danger' | 'plain';
  readonly compact?: boolean;
  readonly submit?: boolean;
  /** Keeps its place and its focus, and does nothing. */
  readonly busy?: boolean;
  readonly label?: string;
  readonly pressed?: boolean;
  /** Takes the focus when its dialog opens. */
  readonly autofocus?: boolean;
}

/** A button. While busy it stays focusable, so that keyboards do not lose their place. */
export const Button = ({ children, onClick, look, compact, submit, busy, label, pressed, autofocus }: ButtonProps) => (
  <button
    type={submit ? 'submit' : 'button'}
    class={['button', look, compact ? 'compact' : undefined].filter(Boolean).join(' ')}
    aria-disabled={busy ? 'true' : undefined}
    aria-label={label}
    aria-pressed={pressed}
    autofocus={autofocus}
    onClick={(event) => {
      if (busy) event.preventDefault();
      else onClick?.();
    }}
  >
    {children}
  </button>
);
