import type { Command } from '../command.ts';
import { CHANGE_KINDS } from '../recorded-change.ts';

/** Which commands about accounts and tokens an operator gives on the dashboard. */
const OPERATORS: ReadonlySet<Command['kind']> = new Set([
	'create_reseller',
	'credit_reseller',
	'revoke_token',
	'set_price',
	'suspend_reseller',
	'resume_reseller',
]);
/** Which ones a person of a reseller gives, for this reseller. */
const RESELLERS: ReadonlySet<Command['kind']> = new Set([...CHANGE_KINDS, 'rotate_token', 'revoke_token']);

/**
 * Whether a person may give this command. `worksFor` is the reseller of the person, or `null` for an operator. The
 * routes check this before they give a command, so an act without the right is a fault of theirs.
 */
export function mayDo(worksFor: string | null, { kind, reseller }: Pick<Command, 'kind' | 'reseller'>): boolean {
	return worksFor === null ? OPERATORS.has(kind) : worksFor === reseller && RESELLERS.has(kind);
}
