import type { EventStore } from '@shipworthy/domain';
import type { Access } from './access.js';

export const eventStore = (access: Access): EventStore => ({
  append: (events) => access.atomically((inside) => inside.tell(events)),
});
