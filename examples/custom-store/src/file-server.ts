import { createShipworthy } from '@shipworthy/server';
import { fileStores, openFileData } from './file-stores.js';

/** `file-server.js FILE` starts a service that stores everything in that file, and prints its address. */
const { FILE_SERVER_KEY: key = '', FILE_SERVER_SETUP_TOKEN: setupToken = '' } = process.env;
const data = await openFileData(process.argv[2] ?? 'stores.ndjson');
const shipworthy = createShipworthy({ stores: fileStores(data), secretKey: Buffer.from(key), setupToken });
const { origin } = await shipworthy.listen({ host: '127.0.0.1', port: 0 });
console.log(origin);
