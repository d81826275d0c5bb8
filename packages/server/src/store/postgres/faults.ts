import { DatabaseError } from 'pg';

/** What went wrong with a statement, and what follows from it for a batch whose COMMIT has not been sent. */
export type FaultKind =
	/** The batch met others, or its connection was lost: the whole of it may be run again. */
	| 'again'
	/** Somebody holds a lock for longer than we wait for one. */
	| 'busy'
	/** The database cannot do it now, whatever is in the batch. */
	| 'machine'
	/** Something in the batch cannot be written. */
	| 'batch';

/**
 * An error of the database, or of the connection to it, without what the database adds for people who
 * may see everything: its details quote whole rows.
 */
export class PostgresError extends Error {
	override readonly name = 'PostgresError';
	/** SQLSTATE, or the system's or the driver's word where the connection failed. */
	readonly code: string;
	readonly constraint: string | undefined;
	readonly isConnectionLost: boolean;
	/** The server is a standby, and refused to begin a transaction. */
	readonly isStandby: boolean;

	constructor(cause: unknown) {
		const { message, code = 'connection_lost' } = cause as NodeJS.ErrnoException;
		super(message);
		this.code = code;
		this.constraint = cause instanceof DatabaseError ? cause.constraint : undefined;
		this.isStandby = code === FEATURE_NOT_SUPPORTED;
		this.isConnectionLost = !(cause instanceof DatabaseError) || this.isStandby || isGoodbye(cause);
	}
}

/** What a standby says to `SET TRANSACTION READ WRITE`. We ask for nothing else that a server might not have. */
const FEATURE_NOT_SUPPORTED = '0A000';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
/** A statement took longer than `statement_timeout`, which only the one that locks has. */
const QUERY_CANCELED = '57014';

/** Unique names that another process can take after we found them free, and figures that it can raise: it came first. */
const RACES = [
	'usernames_pkey',
	'top_ups_pkey',
	'usage_reports_pkey',
	'usage_horizon_passed',
	/^usage_(reseller_)?days_bytes_\w+_in_range$/,
];

/** The classes of SQLSTATE in which the data of a batch are at fault: one row twice, bad values, broken rules. */
const DATA_CLASSES = ['21', '22', '23'];

export function faultKind(cause: unknown): FaultKind {
	if (!(cause instanceof PostgresError)) return 'batch';
	const { code, constraint, isConnectionLost } = cause;
	if (isConnectionLost || code === SERIALIZATION_FAILURE || code === DEADLOCK) return 'again';
	if (code === LOCK_NOT_AVAILABLE || code === QUERY_CANCELED) return 'busy';
	if (constraint !== undefined && RACES.some((race) => constraint.match(race))) return 'again';
	return DATA_CLASSES.includes(code.slice(0, 2)) ? 'batch' : 'machine';
}

/** The server ended the connection. What it says of the severity may be in any language. */
function isGoodbye({ severity, code = '' }: DatabaseError): boolean {
	return severity === 'FATAL' || severity === 'PANIC' || /^(08|57P|25P0[34])/.test(code);
}
