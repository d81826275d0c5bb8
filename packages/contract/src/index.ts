export { CHANGE_ID_FORM, CHANGE_ID_HEADER, CHANGE_ID_HONOURED, CHANGE_KEPT_MS, isChangeId } from './change-id.ts';
export type { Endpoint } from './endpoint.ts';
export { allEndpoints, COMMON_FAILURES, endpoints, ownEndpoints } from './endpoints.ts';
export {
	describedFailureEnvelope,
	type Envelope,
	envelopeSchema,
	failureEnvelope,
	successEnvelope,
} from './envelope.ts';
export {
	ERROR_CODE_HEADER,
	type ErrorCode,
	type ErrorDescription,
	EVENTS_NEWEST_HEADER,
	EVENTS_OLDEST_HEADER,
	errors,
	FREE_OF_CREATE_FEE,
	REQUEST_ID_HEADER,
	STATEMENT_NEWEST_HEADER,
} from './errors.ts';
export { EVENT_TYPES } from './events.ts';
export { EXPIRY_FORM, EXPIRY_HONOURED, REQUEST_EXPIRES_HEADER, readExpirySeconds } from './expiry.ts';
export {
	CREATE_FEE_CENTS,
	MAX_BODY_BYTES,
	MAX_CENTS,
	MAX_HEADER_BYTES,
	USAGE_SHOWN_DAYS,
	USERNAME_MAX_LENGTH,
	USERNAME_MIN_LENGTH,
} from './limits.ts';
export { openApiDocument } from './openapi.ts';
export { isMovementReference, REFERENCE_FORM, REFERENCE_HEADER, REFERENCE_MAX_LENGTH } from './reference.ts';
export { type Operation, type OwnOperation, routes } from './routes.ts';
export {
	BandwidthRecord,
	ChangeRequest,
	RecordedChange,
	RepeatedChange,
	SubUser,
	SubUserAuthKey,
	SubUserBalance,
	SubUserRequest,
	TransferRequest,
} from './schemas.ts';
export { Movement, StatementPage, StatementPageRequest } from './statement-schemas.ts';
export { LIMIT_NAMES, SUB_USER_STATES, type SubUserState, UNUSABLE_REASONS } from './sub-user-terms.ts';
export {
	DeletedSubUser,
	ListedSubUser,
	SetLimitsRequest,
	SetNoteRequest,
	SetSignInIpsRequest,
	SubUserDetails,
	SubUserLimits,
	SubUserPage,
	SubUserPageRequest,
	SubUserWithLimits,
	SubUserWithNote,
	SubUserWithState,
} from './terms-schemas.ts';
export { normalizeUsername } from './username.ts';
