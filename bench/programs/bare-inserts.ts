// Inserts reports into SQLite, as durably as Bursar but without any rule: one insert for each line, one transaction for
// each batch. Reads `Inserts` as JSON from standard input, and prints the number of rows.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';

export interface Inserts {
	/** One JSON object a line. */
	readonly file: string;
	/** Where the database is created. */
	readonly database: string;
}

const BATCH_SIZE = 5_000;

const { file, database: path } = JSON.parse(await text(process.stdin)) as Inserts;
const database = new Database(path);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('cache_size = -65536');
database.exec(
	`CREATE TABLE reports (number INTEGER PRIMARY KEY, source TEXT, id TEXT, username TEXT, at INTEGER, up INTEGER,
	 down INTEGER, UNIQUE (source, id)) STRICT`,
);
const insert = database.prepare('INSERT INTO reports (source, id, username, at, up, down) VALUES (?, ?, ?, ?, ?, ?)');
let rows = 0;
for await (const line of createInterface({ input: createReadStream(file) })) {
	if (rows % BATCH_SIZE === 0) database.exec(rows === 0 ? 'BEGIN' : 'COMMIT; BEGIN');
	const { source, id, username, timestamp, up, down } = JSON.parse(line);
	insert.run(source, id, username, Date.parse(timestamp), up, down);
	rows++;
}
database.exec('COMMIT');
database.close();
process.stdout.write(JSON.stringify(rows));
