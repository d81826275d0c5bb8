import type { Command } from '../command.ts';
import { isLiveSession, provenUntilMs, type Session } from './person.ts';
import type { PersonCommand } from './person-command.ts';

/** What a person may do only with a proof of the last five minutes: change tokens, money, people, edges, the bandwidth of a day, passwords and factors. */
const NEEDS_PROOF: ReadonlySet<(Command | PersonCommand)['kind']> = new Set([
	'rotate_token',
	'revoke_token',
	'create_reseller',
	'credit_reseller',
	'set_price',
	'forgive_debt',
	'suspend_reseller',
	'resume_reseller',
	'invite_person',
	'lock_person',
	'unlock_person',
	'reset_person',
	'remove_person',
	'set_role',
	'link_edge',
	'create_edge',
	'revoke_edge',
	'correct_usage',
	'set_password',
	'set_codes',
	'remove_codes',
	'set_recovery_codes',
	'add_passkey',
	'remove_passkey',
]);

/**
 * Whether the session still allows this at the time of the decision. A page's request may have waited, and the session
 * may have ended meanwhile.
 */
export function refusalOfSession(
	session: Session | undefined,
	{ kind }: Command | PersonCommand,
	nowMs: number,
): 'signed_out' | 'proof_required' | undefined {
	if (!session || !isLiveSession(session, nowMs)) return 'signed_out';
	return NEEDS_PROOF.has(kind) && provenUntilMs(session, nowMs) === null ? 'proof_required' : undefined;
}
