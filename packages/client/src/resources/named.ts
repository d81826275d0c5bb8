import { fieldsOf, isText } from '../answers.ts';

// What webhooks and tokens have in common: a call names one by its id.

/** The body that names it. Throws a `TypeError` if the id is no string. */
export function nameOf(id: unknown): { readonly id: string } {
	if (typeof id !== 'string') throw new TypeError('id must be a string');
	return { id };
}

/** Reads an answer that must be about this one. */
export function of<Data extends { readonly id: string }>(id: string, readData: (data: unknown) => Data | undefined) {
	return (data: unknown): Data | undefined => {
		const named = readData(data);
		return named?.id === id ? named : undefined;
	};
}

/** Reads an answer that only names it. */
export function readNamed(data: unknown): { id: string } | undefined {
	const { id } = fieldsOf<{ id: string }>(data) ?? {};
	return isText(id) ? { id } : undefined;
}
