import type { Found, FoundByOperator } from '@bursar/contract/dashboard';
import { statementPaths } from '../../page/paths.ts';
import type { ShellPage } from '../../shell/pages.ts';
import { searchTexts } from './texts.ts';

/** One thing that was found, and the page that shows it. */
interface Hit {
	readonly name: string;
	/** What tells it from others of its name. */
	readonly details?: string | undefined;
	readonly path: string;
}

export interface HitGroup {
	readonly kind: keyof typeof searchTexts.groups;
	/** Never empty. */
	readonly hits: readonly Hit[];
}

/** The hits of a search by kind. Without a text, these are all pages. */
export function hitGroups(
	text: string,
	pages: readonly ShellPage[],
	found: Found | FoundByOperator | undefined,
): readonly HitGroup[] {
	const groups: readonly HitGroup[] = [
		{ kind: 'pages', hits: pages.filter(({ label }) => hasText(label, text)).map(pageHit) },
		...(found === undefined ? [] : 'resellers' in found ? operatorGroups(found) : resellerGroups(found)),
	];
	return groups.filter(({ hits }) => hits.length > 0);
}

function hasText(label: string, text: string): boolean {
	return label.toLowerCase().includes(text.trim().toLowerCase());
}

function pageHit({ label, path }: ShellPage): Hit {
	return { name: label, path };
}

function resellerGroups({ sub_users, people, references }: Found): readonly HitGroup[] {
	const hits = sub_users.map(({ username, note }) => ({
		name: username,
		details: note === '' ? undefined : note,
		path: `/sub-users/${username}`,
	}));
	return [
		{ kind: 'sub_users', hits },
		{ kind: 'people', hits: people.map((name) => ({ name, path: '/team' })) },
		{
			kind: 'references',
			hits: references.map((reference) => ({ name: reference, path: statementPaths(undefined).list({ reference }) })),
		},
	];
}

function operatorGroups({ resellers, sub_users, people, edges, references }: FoundByOperator): readonly HitGroup[] {
	return [
		{ kind: 'resellers', hits: resellers.map((name) => ({ name, path: `/resellers/${name}` })) },
		{
			kind: 'sub_users',
			hits: sub_users.map(({ username, reseller }) => ({
				name: username,
				details: reseller,
				path: `/resellers/${reseller}/sub-users/${username}`,
			})),
		},
		{
			kind: 'people',
			hits: people.map(({ email, reseller }) => ({
				name: email,
				details: reseller ?? searchTexts.operator,
				path: `/people?search=${encodeURIComponent(email)}`,
			})),
		},
		{ kind: 'edges', hits: edges.map((name) => ({ name, path: '/edges' })) },
		{
			kind: 'references',
			hits: references.map(({ reference, reseller }) => ({
				name: reference,
				details: reseller,
				path: statementPaths(reseller).list({ reference }),
			})),
		},
	];
}
