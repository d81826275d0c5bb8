/** A place in what a reseller reads from the oldest on: behind an event, or behind a movement. */
export interface Cursor {
	/** The number of the event, or the id of the movement; 0 for the beginning. */
	readonly number: number;
	/** What only this event or this movement has, if the place is guarded: a restored store has another one there. */
	readonly guard?: string | undefined;
}

/** What a look at the store tells about a place. */
interface LookAtPlace {
	/** The newest number; 0 if there is none yet. */
	readonly newest: number;
	/** The guard of what is at the place. `null`: it was forgotten, and nothing can be said about it. */
	readonly guardAt: string | null;
}

/** Whether the store does not have what the reader has seen, because it was restored, or a failover has lost it. */
export function isRewound({ number, guard }: Cursor, { newest, guardAt }: LookAtPlace): boolean {
	return number > newest || (guard !== undefined && guardAt !== null && guardAt !== guard);
}

/** The place as readers keep it: `NUMBER-GUARD`, or `NUMBER` alone. */
export function cursorText({ number, guard }: Cursor): string {
	return guard === undefined ? String(number) : `${number}-${guard}`;
}

/** Reads a place. `undefined` if the text has another form, or the guard another one than this. */
export function readCursor(text: string, guardForm: RegExp): Cursor | undefined {
	const [, number, guard] = /^(0|[1-9][0-9]{0,14})(?:-(.+))?$/.exec(text) ?? [];
	if (number === undefined || (guard !== undefined && !guardForm.test(guard))) return undefined;
	return { number: Number(number), guard };
}
