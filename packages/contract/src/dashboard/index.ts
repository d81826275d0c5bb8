export type {
	BandwidthDay,
	BandwidthDays,
	Bound,
	Count,
	Gift,
	ListedSubUser,
	Movement,
	MovementKind,
	MovementMaker,
	MovementPage,
	NewPair,
	Overview,
	SubUserDetails,
	SubUserOrder,
	SubUserPage,
	TopSubUsers,
} from './business-shapes.ts';
export { type DashboardChanges, needsProof, type ProvenChange } from './changes.ts';
export { DASHBOARD_API } from './dashboard-api.ts';
export { normalizeEmail } from './email.ts';
export { type DashboardErrorCode, type DashboardErrorDescription, dashboardErrors } from './errors.ts';
export { MAX_PASSKEYS, MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS, ROWS_ON_A_PAGE } from './limits.ts';
export { moneyTarget, readMoneyTarget } from './money-target.ts';
export type {
	AllActsPage,
	InvitationLink,
	LedgerHealth,
	LedgerVerification,
	ListedPerson,
	ListedReseller,
	NewReseller,
	Payment,
	PaymentOutcome,
	PersonsAct,
	ResellerDetails,
	ResellerPage,
	UsageHealth,
	UsageHealthDay,
} from './operator-shapes.ts';
export type { DashboardFiles, DashboardReads, MovementFilter, ShownDays, SubUserSearch } from './reads.ts';
export type {
	Account,
	AccountPasskey,
	AccountSession,
	ActKind,
	ActPage,
	CodesSetup,
	CurrentToken,
	InvitedPerson,
	NewRecoveryCodes,
	NewToken,
	PasskeyAnswer,
	PasskeyQuestion,
	Presence,
	PresentPerson,
	PreviousToken,
	RecordedAct,
	SignInFactor,
	TokenState,
} from './shapes.ts';
