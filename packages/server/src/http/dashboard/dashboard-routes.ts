import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loadWeakPasswords } from '../../weak-passwords.ts';
import { accountRoutes } from './account/account-routes.ts';
import { codesRoutes } from './account/codes-routes.ts';
import { mailRoutes } from './account/mail-routes.ts';
import { passkeyRoutes } from './account/passkey-routes.ts';
import { activityRoutes } from './activity/activity-routes.ts';
import { bandwidthRoutes } from './bandwidth/bandwidth-routes.ts';
import { brandRoutes } from './brand/brand-routes.ts';
import { serviceName } from './brand-view.ts';
import { firstStepsRoutes } from './business/first-steps-routes.ts';
import { furtherTokenRoutes } from './business/further-token-routes.ts';
import { overviewRoutes } from './business/overview-routes.ts';
import { proxyAccessRoutes } from './business/proxy-access-routes.ts';
import { subUserChangeRoutes } from './business/sub-user-change-routes.ts';
import { subUserRoutes } from './business/sub-user-routes.ts';
import { termsRoutes } from './business/terms-routes.ts';
import { tokenRoutes } from './business/token-routes.ts';
import { webhookRoutes } from './business/webhook-routes.ts';
import { type Calls, createCalls } from './calls/calls.ts';
import { sendRefusal } from './calls/refusals.ts';
import { requireSameOrigin } from './calls/require-same-origin.ts';
import type { DashboardDependencies } from './dependencies.ts';
import { createChallenges } from './factors/challenges.ts';
import { createPasskeys } from './factors/passkeys.ts';
import { createCsvFiles } from './files/csv-files.ts';
import { mailStopCalls } from './mail-stop.ts';
import { operatorCorrectionRoutes } from './operators/correction-routes.ts';
import { operatorEdgeRoutes } from './operators/edge-routes.ts';
import { operatorHealthRoutes } from './operators/health-routes.ts';
import { operatorHomeRoutes } from './operators/home-routes.ts';
import { operatorIncomeRoutes } from './operators/income-routes.ts';
import { createLedgerDays } from './operators/ledger-days.ts';
import { operatorMailRoutes } from './operators/mail-routes.ts';
import { operatorPeopleRoutes } from './operators/people-routes.ts';
import { resellerBusinessRoutes } from './operators/reseller-business-routes.ts';
import { operatorResellerRoutes } from './operators/reseller-routes.ts';
import { suspensionRoutes } from './operators/suspension-routes.ts';
import { operatorTokenRoutes } from './operators/token-routes.ts';
import { operatorWebhookRoutes } from './operators/webhook-routes.ts';
import { operatorPaymentRoutes } from './payments/operator-payment-routes.ts';
import { topUpRoutes } from './payments/top-up-routes.ts';
import { searchRoutes } from './search/search-routes.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { seenRoute } from './seen-route.ts';
import { createKnownBrowsers } from './sessions/known-browsers.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { createSessions } from './sessions/sessions.ts';
import { invitationRoutes } from './sign-in/invitation-routes.ts';
import { passwordRoutes } from './sign-in/password-routes.ts';
import { proofRoutes } from './sign-in/proof-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { statementRoutes } from './statement/statement-routes.ts';
import { teamRoutes } from './team/team-routes.ts';

/** The calls of the dashboard's pages, below `/dashboard/api`. */
export async function dashboardRoutes(app: FastifyInstance, dependencies: DashboardDependencies): Promise<void> {
	const { nowMs, publicUrl } = dependencies;
	app.addHook('onRequest', (_request, reply, done) => {
		setSecurityHeaders(reply, publicUrl());
		done();
	});
	seenRoute(app, dependencies);
	let methods: Calls['methods'] = new Map();
	await app.register(async (scope) => {
		methods = await callRoutes(scope, dependencies);
	});
	for (const path of ['/', '/*']) app.all(path, { onRequest: refuse }, neverReached);

	/** Before the body is read. */
	async function refuse({ params }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const allowed = methods.get(`/${(params as { readonly '*'?: string })['*'] ?? ''}`);
		if (allowed === undefined) return sendRefusal(reply, { refused: 'not_found' }, nowMs());
		return sendRefusal(reply.header('allow', allowed), { refused: 'method_not_allowed' }, nowMs());
	}
}

function neverReached(): never {
	throw new Error('a request that was refused reached its handler');
}

/** The calls of the contract. The session cookie alone says who asks. */
async function callRoutes(app: FastifyInstance, dependencies: DashboardDependencies): Promise<Calls['methods']> {
	const { nowMs, publicUrl, challengeKey, browserKey, brand } = dependencies;
	requireSameOrigin(app, dependencies);
	await app.register(fastifyCookie);
	app.decorateRequest('caller', undefined);

	const knownBrowsers = createKnownBrowsers(browserKey, publicUrl);
	const sessions = createSessions({ ...dependencies, knownBrowsers });
	const name = async () => serviceName(await brand.read());
	const passkeys = createPasskeys(createChallenges(challengeKey, nowMs), publicUrl, name);
	// Loaded before the service listens: otherwise, the first new password would stop it for tens of milliseconds.
	const parts = { ...dependencies, sessions, knownBrowsers, passkeys, isWeakPassword: await loadWeakPasswords() };
	const calls = createCalls(app, { ...parts, files: createCsvFiles(sessions.isStillLive, dependencies.fileLimits) });
	sessionRoutes(calls, parts);
	signInRoutes(calls, parts);
	invitationRoutes(calls, parts);
	passwordRoutes(calls, parts);
	proofRoutes(calls, parts);
	accountRoutes(calls, parts);
	codesRoutes(calls, parts);
	passkeyRoutes(calls, parts);
	mailRoutes(calls, parts);
	mailStopCalls(calls, parts);
	tokenRoutes(calls, parts);
	furtherTokenRoutes(calls, parts);
	webhookRoutes(calls, parts);
	firstStepsRoutes(calls, parts);
	overviewRoutes(calls, parts);
	bandwidthRoutes(calls, parts);
	subUserRoutes(calls, parts);
	subUserChangeRoutes(calls, parts);
	termsRoutes(calls, parts);
	proxyAccessRoutes(calls, parts);
	statementRoutes(calls, parts);
	topUpRoutes(calls, parts);
	operatorPaymentRoutes(calls, parts);
	// Shared, so that both pages have the same sums, and a day is added up once.
	const readLedgerDays = createLedgerDays(dependencies.store);
	operatorHomeRoutes(calls, { ...parts, readLedgerDays });
	searchRoutes(calls, parts);
	operatorResellerRoutes(calls, parts);
	suspensionRoutes(calls, parts);
	resellerBusinessRoutes(calls, parts);
	operatorPeopleRoutes(calls, parts);
	teamRoutes(calls, parts);
	activityRoutes(calls, parts);
	operatorHealthRoutes(calls, parts);
	operatorCorrectionRoutes(calls, parts);
	operatorIncomeRoutes(calls, { ...parts, readLedgerDays });
	operatorMailRoutes(calls, parts);
	operatorEdgeRoutes(calls, parts);
	operatorTokenRoutes(calls, parts);
	brandRoutes(calls, parts);
	operatorWebhookRoutes(calls, parts);
	return calls.methods;
}
