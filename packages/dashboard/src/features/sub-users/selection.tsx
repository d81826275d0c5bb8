import type { ListedSubUser } from '@bursar/contract/dashboard';
import { MOST_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { useState } from 'react';
import classes from './sub-users.module.css';
import { subUserTexts } from './texts.ts';

/** The sub-users that are selected in the list, also on other pages of it. */
export interface Selection {
	readonly usernames: ReadonlySet<string>;
	readonly set: (usernames: readonly string[], isSelected: boolean) => void;
	readonly clear: () => void;
}

export function useSelection(): Selection {
	const [usernames, setUsernames] = useState<ReadonlySet<string>>(new Set());
	return {
		usernames,
		set(changed, isSelected) {
			setUsernames((before) => {
				const rest = [...before].filter((username) => !changed.includes(username));
				return new Set((isSelected ? [...rest, ...changed] : rest).slice(0, MOST_AT_ONCE));
			});
		},
		clear: () => setUsernames(new Set()),
	};
}

interface OneProps {
	readonly username: string;
	readonly selection: Selection;
}

export function SelectOne({ username, selection }: OneProps) {
	return (
		<input
			type="checkbox"
			className={classes.select}
			aria-label={subUserTexts.select(username)}
			checked={selection.usernames.has(username)}
			onChange={({ currentTarget }) => selection.set([username], currentTarget.checked)}
		/>
	);
}

interface AllProps {
	readonly subUsers: readonly ListedSubUser[];
	readonly selection: Selection;
}

/** Selects all of this page. */
export function SelectAll({ subUsers, selection }: AllProps) {
	const usernames = subUsers.map(({ username }) => username);
	return (
		<input
			type="checkbox"
			className={classes.select}
			aria-label={subUserTexts.selectAll}
			checked={usernames.every((username) => selection.usernames.has(username))}
			onChange={({ currentTarget }) => selection.set(usernames, currentTarget.checked)}
		/>
	);
}
