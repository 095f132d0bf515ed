import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';

interface RenameItemProps {
  readonly title: string;
  readonly busy: boolean;
  readonly onDone: (title: string) => void;
}

/** Another title for an item. */
export const RenameItem = ({ title, busy, onDone }: RenameItemProps) => {
  const [value, setValue] = useState(title);
  return (
    <form
      class="one-line"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onDone(value);
      }}
    >
      <TextField label="Title" value={value} onValue={setValue} />
      <Button submit busy={busy}>
        Save
      </Button>
    </form>
  );
};
