export { DASHBOARD_API, type DashboardChanges, type DashboardReads, needsProof, type ProvenChange } from './calls.ts';
export { normalizeEmail } from './email.ts';
export { type DashboardErrorCode, type DashboardErrorDescription, dashboardErrors } from './errors.ts';
export { MAX_PASSKEYS, MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS } from './limits.ts';
export {
	ACT_KINDS,
	type Account,
	type AccountPasskey,
	type AccountSession,
	type ActKind,
	type ActPage,
	type CodesSetup,
	type CurrentToken,
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
