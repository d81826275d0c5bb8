/** What a person did. It is recorded in the transaction of its effect. */
export interface Act {
	/** The page made it, so that a repeat can be refused. */
	readonly id: string;
	readonly person: string;
	/** The public id of the session. */
	readonly session: string;
	readonly address: string;
	/** Like `rotate_token`. */
	readonly kind: string;
	/** What was changed: a name, a tail; for money, the amount too. For `sign_in`, a `SignInFactor`. */
	readonly target: string;
	/** The request that did it. Ledger rows of the same request name it too. */
	readonly requestId: string;
}

export interface RecordedAct extends Act {
	/** Unix milliseconds. */
	readonly atMs: number;
}
