export type { AccountRefusal } from '../account-refusals.ts';
export {
	type ActDetails,
	type ActValueName,
	accountOfAct,
	type ChangedValue,
	type ChangedValues,
	detailsText,
	MAX_ACT_DETAILS_BYTES,
	readActDetails,
	type SeenBy,
} from '../act-details.ts';
export { MOVEMENT_KINDS, type MovementKind, PAIR_STATES, type PairState } from '../sub-user-terms.ts';
export type { SubUserLimits } from '../terms-schemas.ts';
export {
	type Bandwidth,
	type BandwidthBytes,
	type BandwidthCorrection,
	type BandwidthCost,
	type BandwidthDivision,
	type BandwidthFilter,
	type BandwidthPart,
	type BandwidthRange,
	type BandwidthSpan,
	type BandwidthTime,
	LAST_RANGES,
	type LastRange,
	type TopSubUser,
	type TopSubUsers,
} from './bandwidth-shapes.ts';
export type { BrandChange, BrandSettings, Letterhead, ShownBrand } from './brand-shapes.ts';
export { BRAND_PARTS, type BrandPart, brandTarget, readBrandTarget } from './brand-target.ts';
export type {
	Bound,
	Count,
	DeletedSubUser,
	EndedSubUser,
	Gift,
	KnownName,
	KnownNames,
	ListedSubUser,
	MatchingNames,
	Metering,
	NewPair,
	NewTerms,
	OfferedOption,
	Overview,
	OwnName,
	PricePerGb,
	ProxyAccess,
	RefusalsForReason,
	Spending,
	SubUserDetails,
	SubUserOrder,
	SubUserPage,
	SubUserStates,
	Suspension,
	UsedLimits,
	WantedState,
} from './business-shapes.ts';
export { CALLS, type OpenPath } from './calls.ts';
export type { DashboardChanges, ProvenChange } from './changes.ts';
export { DASHBOARD_API, PERSON_HEADER, personHeader } from './dashboard-api.ts';
export { normalizeEmail, normalizeEmailPart, normalizeNewEmail } from './email.ts';
export { type DashboardErrorCode, dashboardErrors } from './errors.ts';
export type { ResellerSteps, ServiceSteps } from './first-steps-shapes.ts';
export {
	type LowReseller,
	type MoneyDay,
	type PlatformMoney,
	REFUSED_REASONS,
	type RefusedByReason,
	type RefusedOfReseller,
	type RefusedReason,
	type ReportsDay,
	type ServiceHealth,
} from './home-shapes.ts';
export {
	LINES_AT_ONCE,
	MAX_PASSKEYS,
	MAX_PASSWORD_BYTES,
	MAX_PERIODS,
	MAX_TEAM,
	MIN_PASSWORD_CHARACTERS,
	ROWS_ON_A_PAGE,
} from './limits.ts';
export {
	type LinkMailing,
	MAIL_KINDS,
	type MailChoice,
	type MailChoices,
	type MailHealth,
	type MailKind,
	type StoppedMail,
} from './mail-shapes.ts';
export { moneyTarget, readMoneyTarget, targetText } from './money-target.ts';
export type {
	ActivityPage,
	AllActsPage,
	AnyAct,
	AnyPerson,
	DayCorrection,
	DayCorrectionOutcome,
	DayOfAccount,
	DayOfBandwidth,
	EdgeList,
	Income,
	IncomeOfReseller,
	InvitationLink,
	LedgerHealth,
	LedgerVerification,
	ListedEdge,
	ListedPerson,
	ListedReseller,
	NewEdge,
	NewEdgeLink,
	NewReseller,
	Payment,
	PaymentOutcome,
	PeoplePage,
	PriceChange,
	RefusedReport,
	ResellerDetails,
	ResellerOrder,
	ResellerPage,
	SubUserOfResellerDetails,
	Team,
	TeamAct,
	UsageCorrection,
	UsageHealth,
	UsageHealthDay,
} from './operator-shapes.ts';
export type { OfferedProvider, OperatorPaymentPage, TopUpPage } from './payment-shapes.ts';
export type {
	ActFilter,
	DashboardFiles,
	DashboardReads,
	LinesQuery,
	MovementFilter,
	PeopleFilter,
	PeriodsQuery,
	ShownDays,
	SubUserSearch,
	WantedMoney,
	WantedPayments,
} from './reads.ts';
export { type Right, refusalOfRight } from './rights.ts';
export { ROLES, type Role, readRoleTarget, roleTarget } from './roles.ts';
export { type Found, MAX_SEARCH_CHARACTERS, SEARCH_HITS } from './search-shapes.ts';
export { type SearchedText, searchedText } from './searched-text.ts';
export {
	ACT_KINDS,
	type Account,
	type AccountPasskey,
	type AccountSession,
	type ActKind,
	type ActPage,
	type CodesSetup,
	type CurrentToken,
	type FailedFactor,
	type InvitedPerson,
	type NewRecoveryCodes,
	type NewToken,
	type PasskeyAnswer,
	type PasskeyQuestion,
	type PasswordLink,
	type Presence,
	type PresentPerson,
	type PreviousToken,
	type RecordedAct,
	type SignInFactor,
	type TokenState,
} from './shapes.ts';
export type {
	Movement,
	MovementMaker,
	MovementPage,
	MovementTotal,
	PaidUsage,
	PeriodSummary,
	StatementLines,
	StatementPeriod,
	StatementPeriods,
	TodaySoFar,
} from './statement-shapes.ts';
export type { ListedFurtherToken, ListedOperatorToken } from './token-shapes.ts';
export type {
	ListedWebhook,
	NewWebhook,
	NewWebhookSecret,
	WebhookList,
	WebhookOfReseller,
	WebhookPage,
	WebhookTries,
	WebhookTry,
} from './webhook-shapes.ts';
