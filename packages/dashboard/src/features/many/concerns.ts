import type { KnownNames } from '@bursar/contract/dashboard';
import type { OperationName } from './operations.ts';
import type { WantedLine } from './run.ts';

/** Why a person should look at lines before they are sent. */
const CONCERNS = ['unknown', 'exists', 'twice', 'too_much', 'suspended', 'ends_now'] as const;
export type ConcernKind = (typeof CONCERNS)[number];

/** The service would refuse these, or take the fee for nothing. The others can be meant. */
const NEVER_SENT: readonly ConcernKind[] = ['unknown', 'exists'];

export interface Concern {
	readonly kind: ConcernKind;
	readonly lines: readonly ConcernedLine[];
	/** Whether the lines can be sent nevertheless. */
	readonly mayKeep: boolean;
}

export interface ConcernedLine extends WantedLine {
	/** The line that has the same name first, if that is the concern. */
	readonly firstLine?: number;
}

/** What concerns lines of a run, by what is known of their names. `nowMs` is the server's time. */
export function concernsOf(
	operation: OperationName,
	lines: readonly WantedLine[],
	{ known, nowMs }: { readonly known: KnownNames; readonly nowMs: number },
): readonly Concern[] {
	const subUsers = new Map(known.sub_users.map((each) => [each.username, each]));
	const used = new Set(known.used);
	const firstLineOf = new Map<string, number>();
	const takenOf = new Map<string, number>();
	const found = new Map<ConcernKind, ConcernedLine[]>(CONCERNS.map((kind) => [kind, []]));

	for (const line of lines) {
		const { username, cents, limits } = line;
		const add = (kind: ConcernKind, more: Pick<ConcernedLine, 'firstLine'> = {}) =>
			found.get(kind)?.push({ ...line, ...more });
		const subUser = subUsers.get(username);
		if (operation === 'create') {
			if (subUser || used.has(username)) add('exists');
			const end = limits?.expires_at;
			if (typeof end === 'string' && Date.parse(end) <= nowMs) add('ends_now');
			continue;
		}
		const firstLine = firstLineOf.get(username);
		if (firstLine === undefined) firstLineOf.set(username, line.line);
		else add('twice', { firstLine });
		if (!subUser) {
			add('unknown');
			continue;
		}
		const taken = (takenOf.get(username) ?? 0) + cents;
		takenOf.set(username, taken);
		if (operation === 'take' && taken > subUser.balance) add('too_much');
		if (subUser.state === 'suspended' && CONCERNED_BY_SUSPENSION.includes(operation)) add('suspended');
	}
	return [...found]
		.filter(([, concerned]) => concerned.length > 0)
		.map(([kind, concerned]) => ({ kind, lines: concerned, mayKeep: !NEVER_SENT.includes(kind) }));
}

/** What does not help a sub-user while it is suspended. */
const CONCERNED_BY_SUSPENSION: readonly OperationName[] = ['give', 'limits', 'reset_key'];

/** What a person has decided about lines: they are left out, or sent nevertheless. */
export type Decisions = Readonly<Partial<Record<ConcernKind, 'left_out' | 'kept'>>>;

export function isDecided(concerns: readonly Concern[], decisions: Decisions): boolean {
	return concerns.every(({ kind }) => decisions[kind] !== undefined);
}

/** The lines that are sent. */
export function linesLeft(
	lines: readonly WantedLine[],
	concerns: readonly Concern[],
	decisions: Decisions,
): readonly WantedLine[] {
	const out = new Set(
		concerns
			.filter(({ kind }) => decisions[kind] === 'left_out')
			.flatMap((concern) => concern.lines.map(({ line }) => line)),
	);
	return lines.filter(({ line }) => !out.has(line));
}
