import type { ListedSubUser } from '@bursar/contract/dashboard';
import { MOST_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { useState } from 'react';
import classes from './sub-users.module.css';
import { subUserTexts } from './texts.ts';

/** The sub-users that are selected in the list, also on other pages of it. */
export interface Selection {
	readonly usernames: ReadonlySet<string>;
	readonly set: (usernames: readonly string[], isSelected: boolean) => void;
	/** Selects these and no others. */
	readonly replace: (usernames: readonly string[]) => void;
	readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * With another search or another filter, nothing is selected any more: a person acts only on what can be found in the list.
 * `filter` tells one from another.
 */
export function useSelection(filter: string): Selection {
	const [kept, setKept] = useState({ filter, usernames: NONE });
	// It is forgotten for good, also if the person goes back to the previous filter.
	if (kept.filter !== filter) setKept({ filter, usernames: NONE });
	const usernames = kept.filter === filter ? kept.usernames : NONE;
	/** Not if the filter has changed meanwhile. */
	const change = (next: (before: ReadonlySet<string>) => readonly string[]) =>
		setKept((before) =>
			before.filter === filter ? { filter, usernames: new Set(next(before.usernames).slice(0, MOST_AT_ONCE)) } : before,
		);
	return {
		usernames,
		set: (changed, isSelected) =>
			change((before) => {
				const rest = [...before].filter((username) => !changed.includes(username));
				return isSelected ? [...rest, ...changed] : rest;
			}),
		replace: (next) => change(() => next),
		clear: () => change(() => []),
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
