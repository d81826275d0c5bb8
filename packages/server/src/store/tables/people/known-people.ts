/** The e-mail address and the reseller of a person, after `joinPeople`. */
export const EMAIL = 'COALESCE(people.email, removed_people.email)';
export const RESELLER = 'COALESCE(people.reseller, removed_people.reseller)';

/** The role of a row of `people`. Versions before roles wrote none, for owners. */
export const ROLE = "CASE WHEN reseller IS NULL THEN NULL ELSE COALESCE(role, 'owner') END AS role";

/**
 * Joins the person with this id, also one who was removed. With a reseller, only its people and operators. A view of both
 * tables would be read as a whole on SQLite.
 */
export function joinPeople(id: string, reseller?: string): string {
	return ['people', 'removed_people']
		.map((table) => {
			const isOf = reseller ? ` AND (${table}.reseller IS NULL OR ${table}.reseller = ${reseller})` : '';
			return `LEFT JOIN ${table} ON ${table}.id = ${id}${isOf}`;
		})
		.join(' ');
}
