/**
 * A copy of the fields that a caller gives, each of which must be known: otherwise a misspelt field would count as absent.
 * `of` says of what they are, for the error.
 */
export function sentFields<Fields extends object>(
	name: string,
	fields: Fields,
	{ known, of }: { readonly known: Readonly<Record<string, true>>; readonly of: string },
): Pick<Fields, keyof Fields> {
	if (typeof fields !== 'object' || fields === null) throw new TypeError(`${name} must be an object`);
	const unknown = Object.keys(fields).find((field) => !Object.hasOwn(known, field));
	if (unknown !== undefined) throw new TypeError(`${unknown} is not a field of ${of}`);
	return { ...fields };
}
