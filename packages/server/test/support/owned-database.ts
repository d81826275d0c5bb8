import { randomBytes } from 'node:crypto';
import { inDatabase } from '@bursar/testing/postgres-books';
import type { PostgresServer } from '@bursar/testing/postgres-server';

export interface OwnedDatabase {
	/** For the service, as the owner. */
	readonly url: string;
	readonly superuserUrl: string;
	/** The name of the database. */
	readonly name: string;
	/** The name of the owner. */
	readonly role: string;
}

/** A new database that belongs to a role of its own, which is no superuser. */
export async function ownedDatabase(
	server: PostgresServer,
	password = randomBytes(12).toString('hex'),
): Promise<OwnedDatabase> {
	const superuserUrl = await server.createDatabase();
	const url = new URL(superuserUrl);
	const name = url.pathname.slice(1);
	const role = `owner_${randomBytes(6).toString('hex')}`;
	await runSql(
		superuserUrl,
		`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`,
		`ALTER DATABASE ${name} OWNER TO ${role}`,
	);
	return { url: Object.assign(url, { username: role, password }).href, superuserUrl, name, role };
}

/** Runs statements one after the other, in a connection of their own. */
export async function runSql(url: string, ...statements: readonly string[]): Promise<void> {
	await inDatabase(url, async (database) => {
		for (const statement of statements) await database.query(statement);
	});
}
