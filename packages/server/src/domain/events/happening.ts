import type { EventData, EventType } from '@bursar/contract/events';

/** The request that has caused something. Empty if bandwidth or time has. */
export interface Cause {
	readonly requestId?: string | undefined;
	/** The reseller's own name for the change. */
	readonly changeId?: string | undefined;
}

/** Something that happened, and that its reseller is told: an event of its log and, for some kinds, mail to its people. */
export type Happening = {
	readonly [Type in EventType]: {
		readonly type: Type;
		readonly reseller: string;
		/** The sub-user that it is about. */
		readonly username?: string | undefined;
		/** As everybody reads it. It has no secret. */
		readonly data: EventData[Type];
		/** Unix milliseconds. */
		readonly atMs: number;
		readonly cause: Cause;
	};
}[EventType];

/** A happening with its place in the log of its reseller. */
export interface NumberedHappening {
	readonly number: number;
	readonly happening: Happening;
}

/** Numbers happenings in order. `newest` has the number of the newest event of each reseller: 0 if it has none yet. */
export function numbered(
	happenings: readonly Happening[],
	newest: ReadonlyMap<string, number>,
): readonly NumberedHappening[] {
	const last = new Map(newest);
	return happenings.map((happening) => {
		const number = (last.get(happening.reseller) ?? 0) + 1;
		last.set(happening.reseller, number);
		return { number, happening };
	});
}
