import { page } from '@bursar/terminal';
import type { Finding } from '../../examination.ts';
import { SCHEMA } from './beginning.ts';
import type { Query } from './connections.ts';

const PAGE = page('docs/operating/postgresql.md', 'Set it up');
/** No more rights are listed in one line. */
const MOST_LISTED = 5;

/** The rights of our role, and those of other roles in the schema. */
interface Rights {
	readonly role: string;
	readonly isSuperuser: boolean;
	readonly canCreate: boolean;
	/** `null` if there is no schema. */
	readonly owner: string | null;
	/** What our role may not do, like `INSERT ON bursar.accounts`. */
	readonly missing: readonly string[];
	/** Other roles that may create objects in the schema. */
	readonly creators: readonly string[];
	/** Other roles that may put triggers on its tables. */
	readonly triggerers: readonly string[];
	/** Other roles that own objects in it, or functions that triggers on its tables run. */
	readonly strangers: readonly string[];
}

const OURS = `(SELECT oid FROM pg_namespace WHERE nspname = '${SCHEMA}')`;
const ROLE_NAME = `CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END`;

const LOOK = `SELECT current_user::text AS role,
	(SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
	has_database_privilege(current_database(), 'CREATE') AS "canCreate",
	(SELECT pg_get_userbyid(nspowner)::text FROM pg_namespace WHERE oid = ${OURS}) AS owner,
	ARRAY(SELECT 'USAGE ON SCHEMA ${SCHEMA}' FROM pg_namespace
			WHERE oid = ${OURS} AND NOT has_schema_privilege(oid, 'USAGE')
		UNION ALL SELECT name || ' ON ${SCHEMA}.' || relname FROM pg_class,
			unnest(CASE relkind WHEN 'v' THEN '{SELECT}' ELSE '{SELECT,INSERT,UPDATE,DELETE}'::text[] END) AS name
			WHERE relnamespace = ${OURS} AND relkind IN ('r', 'p', 'v') AND NOT has_table_privilege(pg_class.oid, name)
		UNION ALL SELECT 'EXECUTE ON FUNCTION ${SCHEMA}.' || proname FROM pg_proc
			WHERE pronamespace = ${OURS} AND NOT has_function_privilege(oid, 'EXECUTE')) AS missing,
	ARRAY(SELECT ${ROLE_NAME} FROM pg_namespace CROSS JOIN LATERAL aclexplode(nspacl)
		WHERE oid = ${OURS} AND privilege_type = 'CREATE' AND grantee <> nspowner) AS creators,
	ARRAY(SELECT DISTINCT ${ROLE_NAME} FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
		WHERE relnamespace = ${OURS} AND privilege_type = 'TRIGGER' AND grantee <> relowner) AS triggerers,
	ARRAY(SELECT DISTINCT pg_get_userbyid(owner)::text FROM pg_namespace CROSS JOIN LATERAL (
			SELECT relowner FROM pg_class WHERE relnamespace = pg_namespace.oid
			UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = pg_namespace.oid
			UNION ALL SELECT oprowner FROM pg_operator WHERE oprnamespace = pg_namespace.oid
			UNION ALL SELECT typowner FROM pg_type WHERE typnamespace = pg_namespace.oid
			UNION ALL SELECT proowner FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
				JOIN pg_proc ON pg_proc.oid = tgfoid
				WHERE relnamespace = pg_namespace.oid AND NOT tgisinternal) AS things (owner)
		WHERE pg_namespace.oid = ${OURS} AND owner <> nspowner) AS strangers`;

/** Whether our role has the rights that it needs, and whether no other role can change what our statements do. */
export async function examineRole(query: Query): Promise<{ findings: readonly Finding[]; mayRead: boolean }> {
	const [, reply] = await Promise.all([
		// The schema may hold functions and operators of other roles.
		query('SET LOCAL search_path = pg_catalog, pg_temp'),
		query<Rights>(LOOK),
		query(`SET LOCAL search_path = ${SCHEMA}, pg_temp`),
	]);
	const rights = reply.rows[0] as Rights;
	return {
		findings: [...ownFindings(rights), ...otherFindings(rights)],
		mayRead: !rights.missing.some((right) => /^(SELECT|USAGE) /.test(right)),
	};
}

/** `synchronous_commit` is missing here, because the service sets it in each of its transactions. */
function ownFindings({ role, isSuperuser, canCreate, owner, missing }: Rights): Finding[] {
	const found: Finding[] = [];
	if (isSuperuser) {
		const text = `The role ${role} is a superuser, and could do anything on the database server.`;
		found.push({ state: 'warning', text, remedy: `Make a role of its own for the service: ${PAGE}` });
	}
	if (owner === null && !canCreate) {
		const text = `The role ${role} may not create the schema ${SCHEMA} in the database.`;
		const remedy = `CREATE SCHEMA ${SCHEMA} AUTHORIZATION the role, or make it the owner of the database: ${PAGE}`;
		found.push({ state: 'problem', text, remedy });
	}
	if (owner !== null && owner !== role) {
		const text = `The schema ${SCHEMA} belongs to the role ${owner}, and not to ${role}.`;
		found.push({ state: 'problem', text, remedy: `Use the role that owns it: ${PAGE}` });
	} else if (missing.length > 0) {
		const text = `The role ${role} lacks rights, and requests that need them fail: ${listed(missing)}.`;
		const remedy = `Give each back: GRANT the right TO ${role}. Look who has taken them: ${PAGE}`;
		found.push({ state: 'problem', text, remedy });
	}
	if (found.length === 0) found.push({ state: 'ok', text: `The role ${role} has the rights that it needs.` });
	return found;
}

/** Code of another role would run with our rights, and could change a balance. */
function otherFindings({ creators, triggerers, strangers }: Rights): Finding[] {
	const found: Finding[] = [];
	if (creators.length > 0) {
		const text = `Other roles may create functions and operators in the schema ${SCHEMA}, which the service would run: ${listed(creators)}.`;
		const remedy = `REVOKE CREATE ON SCHEMA ${SCHEMA} FROM ${creators.join(', ')}: ${PAGE}`;
		found.push({ state: 'problem', text, remedy });
	}
	if (triggerers.length > 0) {
		const text = `Other roles may put triggers on tables of the schema ${SCHEMA}, which the service would run: ${listed(triggerers)}.`;
		const remedy = `REVOKE TRIGGER ON ALL TABLES IN SCHEMA ${SCHEMA} FROM ${triggerers.join(', ')}: ${PAGE}`;
		found.push({ state: 'problem', text, remedy });
	}
	if (strangers.length > 0) {
		const text = `Objects in the schema ${SCHEMA}, or functions of its triggers, belong to other roles: ${listed(strangers)}.`;
		found.push({ state: 'problem', text, remedy: `Look what they are, and remove them: ${PAGE}` });
	}
	return found;
}

function listed(names: readonly string[]): string {
	const rest = names.length - MOST_LISTED;
	return names.slice(0, MOST_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
