export { DASHBOARD_API, type DashboardChanges, type DashboardReads, needsProof, type ProvenChange } from './calls.ts';
export { normalizeEmail } from './email.ts';
export { type DashboardErrorCode, type DashboardErrorDescription, dashboardErrors } from './errors.ts';
export { MAX_PASSKEYS, MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS } from './limits.ts';
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
