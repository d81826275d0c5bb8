import type { TopSubUser, TopSubUsers } from '@bursar/contract/dashboard';

/** A sub-user, or all others, with its part of the whole, which is 1. */
export interface TopRow {
	readonly of: TopSubUser | TopSubUsers['others'];
	/** In tenths of a percent, as they are shown: all rows together are 1. */
	readonly share: number;
}

const TENTHS = 1000;

/** The rows of a list of those that used most. All others come last, if there are any. */
export function topRows({ sub_users: subUsers, others }: TopSubUsers): readonly TopRow[] {
	const bytesOf = ({ up, down }: TopRow['of']) => up + down;
	const all = [...subUsers, others].reduce((sum, each) => sum + bytesOf(each), 0);
	const tenths = subUsers.map((each) => (all === 0 ? 0 : Math.round((TENTHS * bytesOf(each)) / all)));
	const rows = subUsers.map((of, index) => ({ of, share: (tenths[index] ?? 0) / TENTHS }));
	if (bytesOf(others) === 0 && others.sub_users === 0) return rows;
	// What was rounded is with the others, whose part cannot be below nothing.
	const rest = Math.max(0, TENTHS - tenths.reduce((sum, each) => sum + each, 0));
	return [...rows, { of: others, share: rest / TENTHS }];
}
