import { DatabaseError } from 'pg';

/** What a failed statement means for a batch whose COMMIT has not been sent. */
export type FaultKind =
	/** The batch conflicted with another one, or lost its connection. It may be run again. */
	| 'again'
	/** Another session held a lock for longer than we wait. */
	| 'busy'
	/** The database failed, and the batch is not the cause. */
	| 'machine'
	/** Something in the batch cannot be written. */
	| 'batch'
	/** The database cannot do what we ask: a table or a right is missing. To try again does not help. */
	| 'defect';

/**
 * An error of the database or of the connection to it. It leaves out the details of the database's message, because
 * they quote whole rows.
 */
export class PostgresError extends Error {
	override readonly name = 'PostgresError';
	/** The SQLSTATE, or the code of the system or the driver if the connection failed. */
	readonly code: string;
	readonly constraint: string | undefined;
	readonly isConnectionLost: boolean;
	/** The server is a standby, and refused to begin a transaction. */
	readonly isStandby: boolean;

	/** `isBegin`: the statement that failed began a transaction. */
	constructor(cause: unknown, { isBegin = false } = {}) {
		const { message, code = 'connection_lost' } = cause as NodeJS.ErrnoException;
		super(message);
		this.code = code;
		this.constraint = cause instanceof DatabaseError ? cause.constraint : undefined;
		this.isStandby = isBegin && code === FEATURE_NOT_SUPPORTED;
		this.isConnectionLost = !(cause instanceof DatabaseError) || this.isStandby || isGoodbye(cause);
	}
}

/** A standby answers `SET TRANSACTION READ WRITE` with this. */
const FEATURE_NOT_SUPPORTED = '0A000';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
/** A statement exceeded `statement_timeout`. In a batch, only the statement that locks accounts has one. */
const QUERY_CANCELED = '57014';

/** Constraints that fail because another process came first: it took a unique name, or raised a total or a counter. */
const RACES = [
	'usernames_pkey',
	'top_ups_pkey',
	'payments_of_object',
	'sign_in_addresses_pkey',
	'sign_in_addresses_overlap',
	'acts_id_key',
	'usage_reports_pkey',
	'usage_horizon_passed',
	'usage_counters_pkey',
	'usage_counter_changed',
	/^usage_(reseller_)?days_bytes_\w+_in_range$/,
	'meters_bytes_in_range',
];

/** The classes of SQLSTATE for faults in the data of a batch: duplicate rows, bad values, broken constraints. */
const DATA_CLASSES = ['21', '22', '23'];

/** Features that are not supported, schemas that do not exist, and statements without meaning or without the right. */
const DEFECT_CLASSES = ['0A', '3F', '42'];

export function faultKind(cause: unknown): FaultKind {
	if (!(cause instanceof PostgresError)) return 'batch';
	const { code, constraint, isConnectionLost } = cause;
	if (isConnectionLost || code === SERIALIZATION_FAILURE || code === DEADLOCK) return 'again';
	if (code === LOCK_NOT_AVAILABLE || code === QUERY_CANCELED) return 'busy';
	if (constraint !== undefined && RACES.some((race) => constraint.match(race))) return 'again';
	if (DEFECT_CLASSES.includes(code.slice(0, 2))) return 'defect';
	return DATA_CLASSES.includes(code.slice(0, 2)) ? 'batch' : 'machine';
}

/** Whether the server ended the connection. Also checks the code, because the severity may be in any language. */
function isGoodbye({ severity, code = '' }: DatabaseError): boolean {
	return severity === 'FATAL' || severity === 'PANIC' || /^(08|57P|25P0[34])/.test(code);
}
