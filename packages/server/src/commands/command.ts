import type { CommandLineAct, OperatorProgramAct, PersonAct, Program } from '../domain/people/act.ts';

/** What every command about accounts says. Its usernames are normalized. */
export interface AccountCommand {
	/** Names its verb, in the registry. */
	readonly kind: string;
	/** The reseller that asks, or that the operator names. */
	readonly reseller: string;
	/** Written into every ledger row that the command makes. */
	readonly requestId: string;
	/** The command must not start at or after this time, in Unix milliseconds. */
	readonly expiresAtMs?: number | undefined;
	/**
	 * What a person does on the dashboard, or the operator on the command line or with a program. If an act with this id is recorded, or the
	 * session of the act has ended, the command changes nothing.
	 */
	readonly act?: PersonAct | CommandLineAct | OperatorProgramAct | undefined;
	/** The program that asks over the API. */
	readonly program?: Program | undefined;
}

/** What resellers change: money and sub-users. A suspended reseller changes neither. */
export interface ResellersChange extends AccountCommand {
	/**
	 * The reseller's own name for this change. If a change of the reseller with this id is recorded, the command changes
	 * nothing (docs/api.md 10.5).
	 */
	readonly changeId?: string | undefined;
}

/** Why the act of a command is refused: it was recorded before, or its session does not allow it any more. */
export type ActRefusal = 'act_repeated' | 'signed_out' | 'not_allowed' | 'proof_required';

/** Why a change with an id is refused: a change with this id was recorded before. */
export type ChangeRefusal = 'change_repeated';

/** Reasons that any command may have: the rules threw, it was not run, or its commit may have failed. */
export type NoOutcome = 'rules_failed' | 'not_done' | 'outcome_unknown';

export interface Refusal<Reason extends string = string> {
	readonly ok: false;
	readonly error: Reason;
	/** Set if it was not run because its owner has too much waiting. */
	readonly isCallerBusy?: true;
}

export function refuse<Reason extends string>(error: Reason): Refusal<Reason> {
	return { ok: false, error };
}
