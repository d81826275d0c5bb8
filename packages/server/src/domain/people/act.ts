import type { ActDetails } from '@bursar/contract/act-details';

/** Something that was done. It is recorded in the transaction of its effect. */
interface Deed {
	/** A page makes the id of what a person does, so that a repeat can be refused. */
	readonly id: string;
	/** Like `rotate_token`. */
	readonly kind: string;
	/** What was changed: a name, a tail; for money, the amount too. For `sign_in`, a `SignInFactor`. */
	readonly target: string;
	/** The request that did it. Ledger rows of the same request name it too. */
	readonly requestId: string;
}

/** What a person did on the dashboard. */
export interface PersonAct extends Deed {
	readonly person: string;
	/** The public id of the session. */
	readonly session: string;
	readonly address: string;
}

/** A try to sign in as a person, or to prove to be this person, that failed. Who tried is not known. */
export interface FailedTry extends Deed {
	readonly person: string;
	readonly address: string;
}

/** What was done with a link of a mail. Who opened it is not known. */
export interface LinkAct extends Deed {
	readonly person: string;
	readonly address: string;
}

/** The program that asks over the API, as far as it is known. */
export interface Program {
	/** The last four characters of its token. */
	readonly tokenTail: string;
	readonly address: string;
}

/** What a program did over the API. What moves money is no act: the transfer has the program. */
interface ProgramAct extends Deed, Program {}

/** What the operator did on the command line. */
export interface CommandLineAct extends Deed {
	/** The user of the operating system, for people to read. */
	readonly systemUser: string;
}

/** What a program of the operator did over the operator's API. */
export interface OperatorProgramAct extends Deed {
	/** As `recordedName` writes it. */
	readonly operatorToken: string;
	readonly address: string;
}

type Act = PersonAct | FailedTry | LinkAct | ProgramAct | CommandLineAct | OperatorProgramAct;

export type RecordedAct = Act & {
	/** Whose person or program did it, or which reseller an act of an operator is about; `null` for none. */
	readonly reseller: string | null;
	/** Unix milliseconds. */
	readonly atMs: number;
	readonly details?: ActDetails | undefined;
};
