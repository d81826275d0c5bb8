export {
	EDGE_ERROR_CODES,
	type EdgeErrorCode,
	type EdgeFailure,
	edgeErrors,
} from './errors.ts';
export {
	COUNTER_GOES_ON_DAYS,
	COUNTER_NAME_MAX_LENGTH,
	MAX_CHECKS,
	MAX_COUNTERS,
	MAX_EDGE_BODY_BYTES,
	MAX_JOIN_BODY_BYTES,
	MAX_OPEN_ACCOUNTS,
	MAX_REFUSALS,
	MAX_REFUSED_CLIENTS,
	OPEN_AGAIN_MS,
	OPEN_KNOWN_MS,
	RECHECK_MS,
	STORE_AWAY_MS,
} from './limits.ts';
export { edgeOpenApiDocument } from './openapi.ts';
export { type EdgeOperation, edgeOperations } from './operations.ts';
export { edgeRoutes } from './routes.ts';
export {
	AddressCheckRequest,
	CheckAnswer,
	CheckRefusal,
	CheckRequest,
	ChecksRequest,
	CounterReading,
	JoinAnswer,
	JoinRequest,
	LeftReason,
	OpenConnections,
	RefusedClients,
	RefusedCounter,
	UsageAnswer,
	UsageRequest,
} from './shapes.ts';
