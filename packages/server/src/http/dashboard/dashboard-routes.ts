import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { loadWeakPasswords } from '../../weak-passwords.ts';
import { type Calls, createCalls } from './calls.ts';
import { createChallenges } from './challenges.ts';
import { createCsvFiles } from './csv-files.ts';
import type { DashboardDependencies } from './dependencies.ts';
import { createPasskeys } from './passkeys.ts';
import { sendRefusal } from './refusals.ts';
import { requireSameOrigin } from './require-same-origin.ts';
import { accountRoutes } from './routes/account.ts';
import { codesRoutes } from './routes/codes.ts';
import { invitationRoutes } from './routes/invitation.ts';
import { operatorEdgeRoutes } from './routes/operator-edges.ts';
import { operatorHealthRoutes } from './routes/operator-health.ts';
import { operatorPeopleRoutes } from './routes/operator-people.ts';
import { operatorResellerRoutes } from './routes/operator-resellers.ts';
import { overviewRoutes } from './routes/overview.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { proofRoutes } from './routes/proof.ts';
import { sessionRoutes } from './routes/session.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { statementRoutes } from './routes/statement.ts';
import { subUserChangeRoutes } from './routes/sub-user-changes.ts';
import { subUserRoutes } from './routes/sub-users.ts';
import { tokenRoutes } from './routes/token.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { createSessions } from './sessions.ts';

/** The calls of the dashboard's pages, below `/dashboard/api`. */
export async function dashboardRoutes(app: FastifyInstance, dependencies: DashboardDependencies): Promise<void> {
	const { nowMs, publicUrl } = dependencies;
	app.addHook('onRequest', (_request, reply, done) => {
		setSecurityHeaders(reply, publicUrl());
		done();
	});
	let methods: Calls['methods'] = new Map();
	await app.register(async (scope) => {
		methods = await callRoutes(scope, dependencies);
	});
	for (const path of ['/', '/*']) {
		app.all<{ Params: { readonly '*'?: string } }>(path, async ({ params }, reply) => {
			const allowed = methods.get(`/${params['*'] ?? ''}`);
			if (allowed === undefined) return sendRefusal(reply, { refused: 'not_found' }, nowMs());
			return sendRefusal(reply.header('allow', allowed), { refused: 'method_not_allowed' }, nowMs());
		});
	}
}

/** The calls of the contract. The session cookie alone says who asks. */
async function callRoutes(app: FastifyInstance, dependencies: DashboardDependencies): Promise<Calls['methods']> {
	const { nowMs, publicUrl, challengeKey } = dependencies;
	requireSameOrigin(app, dependencies);
	await app.register(fastifyCookie);
	app.decorateRequest('asker', undefined);

	const sessions = createSessions(dependencies);
	const passkeys = createPasskeys(createChallenges(challengeKey, nowMs), publicUrl);
	// Loaded before the service listens: the first password that somebody chooses must not stop it.
	const parts = { ...dependencies, sessions, passkeys, isWeakPassword: await loadWeakPasswords() };
	const calls = createCalls(app, { ...parts, files: createCsvFiles(sessions.isStillLive, dependencies.fileLimits) });
	sessionRoutes(calls, parts);
	signInRoutes(calls, parts);
	invitationRoutes(calls, parts);
	proofRoutes(calls, parts);
	accountRoutes(calls, parts);
	codesRoutes(calls, parts);
	passkeyRoutes(calls, parts);
	tokenRoutes(calls, parts);
	overviewRoutes(calls, parts);
	subUserRoutes(calls, parts);
	subUserChangeRoutes(calls, parts);
	statementRoutes(calls, parts);
	operatorResellerRoutes(calls, parts);
	operatorPeopleRoutes(calls, parts);
	operatorHealthRoutes(calls, parts);
	operatorEdgeRoutes(calls, parts);
	return calls.methods;
}
