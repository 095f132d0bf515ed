export { backUpSqlite } from './backup/back-up.js';
export { type Restored, restoreSqlite } from './backup/restore.js';
export { sumsOf, type TableSum } from './copy/checksum.js';
export { copyDatabase } from './copy/copy-database.js';
export { type Database, type DatabaseOptions, migrate, openDatabase } from './database.js';
export { migrateLater } from './migrations/migrate-later.js';
export { knexStores } from './stores.js';
