// Counters in the plain way: Fastify with the same schema as Bursar, and a row for each counter, which gets the new value.
// A request is one transaction, as durable as Bursar's. The argument is the file of a SQLite database, or a URL.
import { type CounterReading, edgeRoutes, MAX_EDGE_BODY_BYTES, UsageAnswer, UsageRequest } from '@bursar/contract/edge';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import pg from 'pg';

const [, , database = ''] = process.argv;
const TABLE = `CREATE TABLE counters (name text PRIMARY KEY, username text NOT NULL, up bigint NOT NULL, down bigint NOT NULL,
	at text NOT NULL)`;
const ON_CONFLICT = 'ON CONFLICT (name) DO UPDATE SET up = excluded.up, down = excluded.down, at = excluded.at';

const upsert = database.startsWith('postgres:') ? await openPostgres() : openSqlite();
const app = Fastify({ logger: false, bodyLimit: MAX_EDGE_BODY_BYTES });
app.post<{ Body: UsageRequest }>(
	edgeRoutes.usage.path,
	{ schema: { body: UsageRequest, response: { 200: UsageAnswer } } },
	async ({ body }) => {
		await upsert(body.counters as readonly CounterReading[]);
		return { counted: body.counters.length, repeated: 0, refused: [] };
	},
);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url })}\n`);

function openSqlite() {
	const opened = new Database(database);
	opened.pragma('journal_mode = WAL');
	opened.pragma('synchronous = FULL');
	opened.exec(TABLE);
	const statement = opened.prepare(`INSERT INTO counters VALUES (?, ?, ?, ?, ?) ${ON_CONFLICT}`);
	return opened.transaction((readings: readonly CounterReading[]) => {
		for (const { counter, username, up, down, at } of readings) statement.run(counter, username, up, down, at);
	});
}

async function openPostgres() {
	const pool = new pg.Pool({ connectionString: database });
	await pool.query(TABLE);
	const text = `INSERT INTO counters SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[])
		${ON_CONFLICT}`;
	return async (readings: readonly CounterReading[]) => {
		const column = (of: keyof CounterReading) => readings.map((reading) => reading[of]);
		const values = [column('counter'), column('username'), column('up'), column('down'), column('at')];
		await pool.query({ name: 'upsert', text, values });
	};
}
