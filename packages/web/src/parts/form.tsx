import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { besidesFields, type CallFault } from '../api/fault.js';
import { FaultNotice } from './notice.js';

export interface FormProps {
  /** Resolves once it has been sent, or was found wrong before. */
  readonly onSubmit: () => unknown;
  readonly fault?: CallFault | undefined;
  /** JSON pointers of the values whose faults are shown at a field. */
  readonly fields?: readonly string[];
  readonly look?: string;
  readonly children: ComponentChildren;
}

const focusFirstWrong = (form: HTMLFormElement | null): void => {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (wrong === null || wrong === undefined) return;
  const folded = wrong.closest('details');
  if (folded !== null) folded.open = true;
  wrong.focus();
};

/** A form. What is wrong with a field is said there only, and the first such field gets the focus; all else is said above. */
export const Form = ({ onSubmit, fault, fields = [], look = 'stack', children }: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const rest = besidesFields(fault, fields);
  return (
    <form
      ref={form}
      class={look}
      noValidate
      onSubmit={async (event) => {
        event.preventDefault();
        await onSubmit();
        // The fields are marked when they are drawn again.
        setTimeout(() => focusFirstWrong(form.current));
      }}
    >
      {rest === undefined ? null : <FaultNotice fault={rest} />}
      {children}
    </form>
  );
};
