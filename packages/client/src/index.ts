export { isChangeId } from '@bursar/contract/change-id';
export type { ErrorCode } from '@bursar/contract/errors';
export { CREATE_FEE_CENTS } from '@bursar/contract/limits';
export { normalizeUsername, USERNAME_RULE } from '@bursar/contract/username';
export type {
	Account,
	Confirmation,
	Creation,
	DailyUsage,
	RecordedChange,
	ReplacedAuthKey,
	Transfer,
} from './accounts.ts';
export { BursarClient } from './client.ts';
export {
	type AnyBursarError,
	BursarError,
	type ChangeOperation,
	ConnectionError,
	type ErrorDetails,
	type FeeRange,
	InsufficientBalanceError,
	InternalServerError,
	InvalidRequestError,
	OutcomeUnknownError,
	SuspendedError,
	UnauthorizedError,
	UnavailableError,
	UnexpectedAnswerError,
	type UnknownOutcome,
	UnknownSubUserError,
	UsernameTakenError,
} from './errors.ts';
export type { ClientEvent, EventListener } from './events.ts';
export { judgeTransfer, type TransferVerdict } from './judge-transfer.ts';
export type {
	BursarClientOptions,
	CallOptions,
	ChangeOptions,
	CreateOptions,
	ListOptions,
	Patience,
	StatementOptions,
	SubUserListOptions,
} from './options.ts';
export type {
	Deletion,
	ListedSubUser,
	Movement,
	MovementKind,
	SetLimits,
	SetNote,
	SetState,
	SubUserDetails,
	SubUserLimits,
	SubUserState,
	UsedOfLimits,
} from './terms/sub-user-terms.ts';
