/** Bounds the memory that large bodies take together. */
export interface BodyBudget {
	/** Takes memory for more bytes. Returns `false`, and takes none, if a bound is reached. */
	take(owner: string, bytes: number): boolean;
	release(owner: string, bytes: number): void;
}

export function createBodyBudget({
	most,
	mostOfOwner,
}: {
	readonly most: number;
	readonly mostOfOwner: number;
}): BodyBudget {
	const owners = new Map<string, number>();
	let taken = 0;
	return {
		take(owner, bytes) {
			const ofOwner = (owners.get(owner) ?? 0) + bytes;
			if (taken + bytes > most || ofOwner > mostOfOwner) return false;
			taken += bytes;
			owners.set(owner, ofOwner);
			return true;
		},
		release(owner, bytes) {
			const ofOwner = (owners.get(owner) ?? 0) - bytes;
			taken -= bytes;
			if (ofOwner > 0) owners.set(owner, ofOwner);
			else owners.delete(owner);
		},
	};
}
