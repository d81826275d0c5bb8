import { setTimeout } from 'node:timers/promises';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

// A program that opens the store of a folder at a given time, closes it, and prints how many migrations it applied.
const [folder, startMs] = process.argv.slice(2);
await setTimeout(Math.max(0, Number(startMs) - Date.now()));
const store = await openSqliteStore(folder as string, undefined);
await store.readCredentialsVersion();
await store.close();
process.stdout.write(String(store.appliedMigrations.length));
