export { isChangeId } from '@bursar/contract/change-id';
export type { ErrorCode } from '@bursar/contract/errors';
export { CREATE_FEE_CENTS } from '@bursar/contract/limits';
export { normalizeUsername, USERNAME_RULE } from '@bursar/contract/username';
export type {
	Account,
	AccountDetails,
	Confirmation,
	Creation,
	DailyUsage,
	RecordedChange,
	ReplacedAuthKey,
	Transfer,
} from './accounts.ts';
export { Bursar } from './bursar.ts';
export { newChangeId } from './change-id.ts';
export {
	type AnyBursarError,
	BursarError,
	type ChangeOperation,
	ConnectionError,
	type ErrorDetails,
	EventsExpiredError,
	EventsGoneError,
	EventsRewoundError,
	type FeeRange,
	InsufficientBalanceError,
	InternalServerError,
	InvalidRequestError,
	NotPermittedError,
	OutcomeUnknownError,
	ProviderOffError,
	StatementRewoundError,
	SuspendedError,
	TooManyPaymentsError,
	TooManyTokensError,
	TooManyWebhooksError,
	UnauthorizedError,
	UnavailableError,
	UnexpectedAnswerError,
	type UnknownOutcome,
	UnknownSubUserError,
	UnknownTokenError,
	UnknownWebhookError,
	UsernameTakenError,
} from './errors.ts';
export type { ClientEvent, EventListener } from './events.ts';
export type {
	BursarOptions,
	CallOptions,
	ChangeOptions,
	EventListOptions,
	FollowOptions,
	ListOptions,
	Patience,
	StatementOptions,
	SubUserListOptions,
	TopUpListOptions,
	TransferOptions,
} from './options.ts';
export type { RawAnswer } from './protocol/raw-request.ts';
export type { EventData, EventPage, EventType, ResellerEvent, SentEvent } from './reseller-events.ts';
export { List, type Page } from './resources/list.ts';
export type {
	CountedRefusals,
	CreationWith,
	Deletion,
	ListedSubUser,
	Movement,
	MovementKind,
	NewTerms,
	ProxyRefusal,
	SetLimits,
	SetNote,
	SetState,
	SubUserDetails,
	SubUserLimits,
	SubUserState,
	UnusableReason,
	Usability,
	UsedBytes,
	UsedOfLimits,
} from './sub-user-terms.ts';
export type { EndedToken, NewToken, TokenCreation, TokenDetails, TokenScope } from './tokens.ts';
export type { NewTopUp, PaymentProvider, TopUp, TopUpCreation, TopUpState } from './top-ups.ts';
export {
	type VerifyWebhookOptions,
	verifyWebhook,
	type WebhookHeaders,
	WebhookVerificationError,
} from './verify-webhook.ts';
export type {
	DeletedWebhook,
	ListedWebhook,
	NewWebhook,
	RotatedSecret,
	UpdatedWebhook,
	Webhook,
	WebhookCreation,
	WebhookTry,
	WebhookUpdate,
} from './webhooks.ts';
