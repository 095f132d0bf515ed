export { type Database, type DatabaseOptions, migrate, openDatabase } from './database.js';
export { knexStores } from './stores.js';
