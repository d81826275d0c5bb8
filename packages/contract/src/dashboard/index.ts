export {
	type BandwidthDay,
	type BandwidthDays,
	type Bound,
	type Count,
	type Gift,
	type ListedSubUser,
	MOVEMENT_KINDS,
	type Movement,
	type MovementKind,
	type MovementMaker,
	type MovementPage,
	type NewPair,
	type Overview,
	type SubUserDetails,
	type SubUserOrder,
	type SubUserPage,
	type TopSubUsers,
} from './business-shapes.ts';
export { type DashboardChanges, needsProof, type ProvenChange } from './changes.ts';
export { DASHBOARD_API, PERSON_HEADER, personHeader } from './dashboard-api.ts';
export { normalizeEmail } from './email.ts';
export { type DashboardErrorCode, dashboardErrors } from './errors.ts';
export { MAX_PASSKEYS, MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS, ROWS_ON_A_PAGE } from './limits.ts';
export { moneyTarget, readMoneyTarget } from './money-target.ts';
export type {
	AllActsPage,
	AnyAct,
	EdgeList,
	InvitationLink,
	LedgerHealth,
	LedgerVerification,
	ListedEdge,
	ListedPerson,
	ListedReseller,
	NewEdge,
	NewReseller,
	OperatorList,
	Payment,
	PaymentOutcome,
	ResellerDetails,
	ResellerPage,
	UsageHealth,
	UsageHealthDay,
} from './operator-shapes.ts';
export type { DashboardFiles, DashboardReads, MovementFilter, ShownDays, SubUserSearch } from './reads.ts';
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
	type Presence,
	type PresentPerson,
	type PreviousToken,
	type RecordedAct,
	type SignInFactor,
	type TokenState,
} from './shapes.ts';
