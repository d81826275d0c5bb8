import type { MailKind } from '@bursar/contract/dashboard';
import type { Edge } from '../edge.ts';
import type { OutboxRow } from '../mail/mail.ts';
import type { AlarmKind } from '../mail/notice.ts';
import type { Brand } from '../operators/brand.ts';
import type { OperatorToken } from '../operators/operator-token.ts';
import type { UsageCorrection } from '../operators/usage-correction.ts';
import type { Bytes } from '../usage.ts';
import type { Invitation, PersonRecord } from './person.ts';
import type { Tries } from './tries.ts';

/** How a command or a read names a person. */
export interface PersonKey {
	readonly by: 'id' | 'email' | 'link' | 'session' | 'passkey';
	/** An id, an e-mail address, the hash of a link or a session, or the id of a passkey. */
	readonly value: string;
}

/** What a store loads before a command about a person is decided. Until the commit, no other such command runs. */
export interface PersonNeeds {
	readonly person?: PersonKey;
	/** Whether this reseller exists. */
	readonly reseller?: string;
	/** Whether an act with this id was recorded. */
	readonly act?: string;
	/** The link with which the first operator claims the service, and whether there is an operator. */
	readonly claim?: true;
	/** How many people this reseller has. */
	readonly teamOf?: string;
	/** Whether an operator other than the one with this e-mail address could sign in: not locked, and with a password. */
	readonly otherOperator?: string;
	/** The counts of tries with these keys. */
	readonly tries?: readonly string[];
	/** Whether the challenge with this hash was used. */
	readonly challenge?: string;
	/** Whether any person has the passkey with this id. */
	readonly passkey?: string;
	/** The operator who asks for a change that is not about them. */
	readonly caller?: PersonKey;
	/** Which verifications of the ledger have no end. */
	readonly verifications?: true;
	/** How many sessions of all people are live at this time, in Unix milliseconds. */
	readonly sessionsAtMs?: number;
	/** The edge with this name, and how many edges there are. */
	readonly edge?: string;
	/** Whether an edge has the key with this hash. */
	readonly edgeKey?: string;
	/** The low balance of the reseller of the person with this id. */
	readonly lowBalanceOf?: string;
	/** Whether this person wants these mails. */
	readonly mailChoice?: { readonly person: string; readonly mail: MailKind };
	/** Whether the service sends mail. */
	readonly mailSetup?: true;
	/** The mails that are due at this time, in Unix milliseconds, `MAILS_AT_ONCE` at most. */
	readonly mailsAtMs?: number;
	/** Whether this alarm is raised. */
	readonly alarm?: { readonly alarm: AlarmKind; readonly subject: string };
	/** All tokens of programs of the operator. */
	readonly operatorTokens?: true;
	readonly brand?: true;
	/** How many webhooks are on, and how many are off because the store is a copy. */
	readonly webhooks?: true;
	/** The correction with this reference, and what the account and its reseller used on a day. */
	readonly correction?: Pick<UsageCorrection, 'reference' | 'username' | 'day'>;
}

/** What the store found. */
export interface PersonFacts {
	readonly record: PersonRecord | undefined;
	readonly isResellerKnown: boolean;
	readonly isActRecorded: boolean;
	readonly claim: Invitation | undefined;
	/** Whether there is an operator. One who was only invited counts. */
	readonly hasOperator: boolean;
	readonly hasOtherOperator: boolean;
	readonly teamSize: number;
	readonly tries: readonly Tries[];
	readonly isChallengeUsed: boolean;
	readonly isPasskeyTaken: boolean;
	readonly liveSessions: number;
	readonly caller: PersonRecord | undefined;
	/** When each verification without an end was last recorded, in Unix milliseconds. */
	readonly verificationsNotedAtMs: readonly number[];
	readonly edge: Pick<Edge, 'keyHash' | 'linkHash' | 'linkExpiresAtMs' | 'revokedAtMs'> | undefined;
	readonly isEdgeKeyTaken: boolean;
	readonly edges: number;
	/** USD cents; `null` if the reseller has set none. */
	readonly lowBalanceCents: number | null;
	/** `undefined` if the person has not chosen. */
	readonly mailChoice: boolean | undefined;
	readonly sendsMail: boolean;
	readonly dueMails: readonly OutboxRow[];
	readonly isAlarmRaised: boolean;
	readonly operatorTokens: readonly OperatorToken[];
	readonly brand: Brand;
	readonly webhooksOn: number;
	readonly webhooksCopied: number;
	readonly correction: UsageCorrection | undefined;
	/** `undefined` if there is no such account. */
	readonly usage: CorrectedUsage | undefined;
}

/** What an account and its reseller used on a UTC day. */
export interface CorrectedUsage {
	readonly reseller: string;
	readonly ofAccount: Bytes;
	readonly ofReseller: Bytes;
}
