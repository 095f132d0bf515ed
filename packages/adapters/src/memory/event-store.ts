import type { EventStore } from '@shipworthy/domain';
import type { TableAccess } from './table-access.js';

export const eventStore = ({ tell }: TableAccess): EventStore => ({ append: (events) => tell(events) });
