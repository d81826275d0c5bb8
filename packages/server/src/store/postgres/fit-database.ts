import { SCHEMA } from './beginning.ts';
import type { Query } from './connections.ts';

/** The schema, and the roles that can affect it. */
interface Found {
	readonly encoding: string;
	/** Our own role. */
	readonly role: string;
	/** `null` if there is no schema yet. */
	readonly owner: string | null;
	/** Other roles that may create objects in it. */
	readonly creators: readonly string[];
	/** Other roles that may put triggers on its tables. */
	readonly triggerers: readonly string[];
	/** Other roles that own objects in it, or functions that triggers on its tables run. */
	readonly strangers: readonly string[];
}

const LOOK = `
	SELECT getdatabaseencoding()::text AS encoding, current_user::text AS role,
		(SELECT pg_get_userbyid(nspowner)::text FROM pg_namespace WHERE nspname = '${SCHEMA}') AS owner,
		ARRAY(SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END
			FROM pg_namespace CROSS JOIN LATERAL aclexplode(nspacl)
			WHERE nspname = '${SCHEMA}' AND privilege_type = 'CREATE' AND grantee <> nspowner) AS creators,
		ARRAY(SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END
			FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid CROSS JOIN LATERAL aclexplode(relacl)
			WHERE nspname = '${SCHEMA}' AND privilege_type = 'TRIGGER' AND grantee <> relowner) AS triggerers,
		ARRAY(SELECT DISTINCT pg_get_userbyid(owner)::text FROM pg_namespace CROSS JOIN LATERAL (
				SELECT relowner FROM pg_class WHERE relnamespace = pg_namespace.oid
				UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = pg_namespace.oid
				UNION ALL SELECT oprowner FROM pg_operator WHERE oprnamespace = pg_namespace.oid
				UNION ALL SELECT typowner FROM pg_type WHERE typnamespace = pg_namespace.oid
				UNION ALL SELECT proowner FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
					JOIN pg_proc ON pg_proc.oid = tgfoid
					WHERE relnamespace = pg_namespace.oid AND NOT tgisinternal) AS things (owner)
			WHERE nspname = '${SCHEMA}' AND owner <> nspowner) AS strangers`;

/**
 * Throws if the database cannot hold every text, or if our statements could run the code of another role with our
 * rights: names are looked up in the schema. Call it inside one of our transactions.
 */
export async function assertFitDatabase(query: Query): Promise<void> {
	const [, reply] = await Promise.all([
		// Before the check is done, nothing in the schema may be called.
		query('SET LOCAL search_path = pg_catalog, pg_temp'),
		query<Found>(LOOK),
		query(`SET LOCAL search_path = ${SCHEMA}, pg_temp`),
	]);
	const { encoding, role, owner, creators, triggerers, strangers } = reply.rows[0] as Found;
	if (encoding !== 'UTF8') {
		throw new Error(
			`the encoding of the database is ${encoding}, which cannot hold every text: create a database with ENCODING 'UTF8' TEMPLATE template0`,
		);
	}
	if (owner !== null && owner !== role) {
		throw new Error(
			`the schema ${SCHEMA} of the database belongs to ${owner}, and has to belong to ${role}: the service would run code that its owner puts there`,
		);
	}
	if (creators.length > 0) {
		const names = creators.join(', ');
		throw new Error(
			`${names} may create in the schema ${SCHEMA} of the database, and the service would run code that is put there: REVOKE CREATE ON SCHEMA ${SCHEMA} FROM ${names}`,
		);
	}
	if (triggerers.length > 0) {
		const names = triggerers.join(', ');
		throw new Error(
			`${names} may put triggers on tables of the schema ${SCHEMA}, and the service would run them: REVOKE TRIGGER ON ALL TABLES IN SCHEMA ${SCHEMA} FROM ${names}`,
		);
	}
	if (strangers.length > 0) {
		throw new Error(
			`the schema ${SCHEMA} of the database holds something that belongs to ${strangers.join(', ')}, and the service might run it: find it, and remove it`,
		);
	}
}
