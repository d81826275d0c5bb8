import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { openFilesLimit } from '@bursar/terminal/open-files';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Bank, createBank } from './bank/bank.ts';
import { createEdgeUses, type EdgeUses } from './bank/edge-uses.ts';
import { createExpiryClock } from './bank/expiry-clock.ts';
import { createJudging } from './bank/judging.ts';
import { createKnownBrand } from './bank/known-brand.ts';
import { createLedgerVerifier } from './bank/ledger-verifier.ts';
import { createSettledReads } from './bank/settled-reads.ts';
import { createTokenUses, type TokenUses } from './bank/token-uses.ts';
import { createUsagePosting, type PostingObserver } from './bank/usage-posting.ts';
import { createWriteHealth } from './bank/write-health.ts';
import { type Config, edgeUrlOf, publicUrlOf } from './config.ts';
import { openStore } from './engine.ts';
import type { DashboardDependencies } from './http/dashboard/dependencies.ts';
import type { CsvFileLimits } from './http/dashboard/files/csv-files.ts';
import { createEdgeListener, EDGE_LIMITS, type EdgeListener } from './http/edge/edge-listener.ts';
import { createOperatorListener, OPERATOR_LIMITS } from './http/operator/operator-listener.ts';
import { createMetrics } from './http/ops/metrics.ts';
import { createOpsListener, OPS_LIMITS } from './http/ops/ops-listener.ts';
import { createPublicListener } from './http/public-listener.ts';
import { createAuthenticator } from './http/reseller/authenticator.ts';
import { createClientAddresses } from './http/server/client-address.ts';
import { filesNeeded, shareOpenFiles } from './http/server/connections/open-files.ts';
import { COMMON_LIMITS, type RequestTimeouts } from './http/server/limits.ts';
import type { Mails } from './mail/mails.ts';
import { createStopLinks } from './mail/stop-links.ts';
import { createOutageLog, type OutageLog } from './outage-log.ts';
import type { PasswordCost } from './passwords.ts';
import { createPayments } from './payments/payments.ts';
import { createProviders } from './payments/providers/providers.ts';
import { SEEN_KEY } from './seen-request.ts';
import { createKeySeal } from './store/secrets/key-seal.ts';
import type { Store } from './store/store.ts';
import { createStoreHealth } from './store-health.ts';
import { version } from './version.ts';
import { createWebhookDelivery } from './webhooks/delivery.ts';
import { createPoster } from './webhooks/post-event.ts';

export interface Service {
	/** Base address of the public listener. */
	readonly url: string;
	/** Base address of the operator's listener. */
	readonly opsUrl: string;
	/** Base address of the operator's API. Absent if it is off. */
	readonly operatorUrl?: string;
	/** Base address of the edge listener. Absent if it is off. */
	readonly edgeUrl?: string;
	/** Runs a command about people, as the operator's commands do. */
	readonly changePerson: Bank['changePerson'];
	/** Whether there is an operator, also one who was only invited. Rejects if the store cannot be read. */
	hasOperator(): Promise<boolean>;
	/** Makes the edge listener know at once what changed about edges. Otherwise it takes about a second. Never rejects. */
	readEdges(): Promise<void>;
	/** Accepts nothing new, answers the requests in progress, and closes everything. */
	stop(): Promise<void>;
	/** Resolves, with the cause, when the service cannot go on and must be stopped. */
	readonly failed: Promise<unknown>;
}

/** @bound Requests in progress once the service stops: then they are cut. */
const STOP_LIMIT_MS = 8_000;
/**
 * The same for the operator's listener, which stops last.
 * @bound The same of the listener of the operator: then they are cut.
 */
const OPS_STOP_LIMIT_MS = 250;

const DAY_MS = 86_400_000;
const CLOCK_SET_BACK = 'the clock was set back: changes with X-Request-Expires are refused';

/** Options that are not in the configuration. Most of them are for tests. */
export interface ServiceParts {
	readonly openStore?: (config: Config) => Promise<Store>;
	readonly requestTimeouts?: RequestTimeouts;
	/** How often the last uses of tokens are written, in milliseconds. */
	readonly tokenUsesMs?: number;
	/** How often the uses of edges are written, in milliseconds. */
	readonly edgeUsesMs?: number;
	/** How often the service looks for bandwidth to post, in milliseconds. */
	readonly usagePostingMs?: number;
	/** How often the service looks for what resellers are to be told, in milliseconds. */
	readonly judgingMs?: number;
	/** How often the service looks for events that requests wait for, in milliseconds. */
	readonly eventLookMs?: number;
	/** How often the service looks for due mails and for causes of alarms, in milliseconds. */
	readonly mailLookMs?: number;
	/** How often the service looks for events to send to webhooks, in milliseconds. */
	readonly webhookLookMs?: number;
	/** Payment providers instead of those of the configuration. */
	readonly paymentProviders?: Parameters<typeof createPayments>[0]['providers'];
	/** How often the service looks for payments to read, in milliseconds. */
	readonly paymentLookMs?: number;
	/** How often the service asks payment providers what has changed, in milliseconds. */
	readonly paymentSweepMs?: number;
	/** After which silence an edge counts as silent, in milliseconds. */
	readonly edgeSilentMs?: number;
	/** Where the dashboard's pages were built. */
	readonly dashboardFolder?: string;
	/** What a new hash of a password costs: tests sign many people in. */
	readonly passwordCost?: PasswordCost;
	/** Limits of the dashboard's files to download. */
	readonly fileLimits?: Partial<CsvFileLimits>;
	/** Where clients reach a proxy that `bursar dev` has started, if the configuration names none. */
	readonly proxyUrls?: () => readonly string[];
	/** How often and how patiently the service looks whether it can write. */
	readonly writeHealth?: Parameters<typeof createWriteHealth>[1];
	/** How many lines the log has dropped. */
	readonly droppedLogLines?: () => number;
}

/** How many files a service with this configuration may have open. */
export function openFilesNeeded({ edgePort, operatorPort }: Pick<Config, 'edgePort' | 'operatorPort'>): number {
	const listeners = [
		...[COMMON_LIMITS, OPS_LIMITS],
		...(edgePort === undefined ? [] : [EDGE_LIMITS]),
		...(operatorPort === undefined ? [] : [OPERATOR_LIMITS]),
	];
	return filesNeeded(listeners.map(({ connections }) => connections));
}

/** Builds the whole service from its configuration, and listens. */
export async function startService(config: Config, logger: Logger, parts: ServiceParts = {}): Promise<Service> {
	const { requestTimeouts } = parts;
	const paymentProviders = parts.paymentProviders ?? (await createProviders(config));
	const store = await (parts.openStore?.(config) ?? openStore(config, { serves: true }));
	await store.startWriting?.();
	const clock = createExpiryClock(() => store.nowMs(), {
		onSetBack: (byMs) => logger.warn({ byMs }, `${CLOCK_SET_BACK}, until it has caught up or the service is restarted`),
	});
	const { nowMs } = clock;
	let stopping = false;
	/** A warning about the store while the service can go on, and the reason when it cannot. */
	let outgrown: string | undefined;
	let lost: string | undefined;
	void store.outgrown.then((words) => {
		outgrown = words;
		logger.warn(`${words}: this process goes on, but replace it with that version`);
	});
	void store.lost.then((cause) => {
		lost = cause instanceof Error ? cause.message : String(cause);
	});

	const metrics = createMetrics({
		version,
		store: {
			engine: config.databaseUrl ? 'postgresql' : 'sqlite',
			readState: () => store.readState(),
			databaseState: store.databaseState,
		},
		unreadyBecause,
		queueDepth: () => bank.waiting,
		droppedLogLines: parts.droppedLogLines,
		edges: () => edgeSide?.listener.edges ?? [],
		edgeUses: () => edgeSide?.uses ?? [],
		paymentReadLag: () => payments.readLag(),
	});
	const bank: Bank = createBank(store, {
		clock,
		observer: {
			...metrics.batches,
			settled(settled) {
				metrics.usageSettled(settled);
				for (const { ranOut, ...account } of settled) {
					if (ranOut) logger.info(account, 'an account ran out: its balance is used up by bandwidth');
				}
			},
			used: (usernames) => judging.used(usernames),
			metered: (usernames) => usagePosting.used(usernames),
			fault(cause, kind) {
				metrics.batchFault(kind);
				batchFaults[kind].failed(cause);
				if (kind !== 'failed_alone') writeHealth.batchFailed(cause);
			},
		},
	});
	const batchFaults = batchFaultLogs(logger);
	const writeHealth = createWriteHealth(bank, parts.writeHealth);
	const tokenUses = createTokenUses(bank, { writeMs: parts.tokenUsesMs });
	const storeHealth = createStoreHealth(store.readCredentialsVersion, {
		writes: writeHealth,
		outage: outageLog(logger),
	});
	const { readCredentialsVersion } = storeHealth;
	const credentials = { findToken: (hash: string) => store.findToken(hash), readCredentialsVersion };
	const authenticator = createAuthenticator(credentials, { uses: tokenUses, nowMs: () => store.nowMs() });
	const verifier = createLedgerVerifier({
		store,
		bank,
		fault: (cause) => logger.error({ err: cause }, 'the ledger could not be verified'),
	});
	const usagePosting = createUsagePosting({
		store,
		bank,
		observer: postingObserver(logger),
		lookMs: parts.usagePostingMs,
	});
	const judging = createJudging({
		store,
		bank,
		eventsKeptMs: config.eventsDays * DAY_MS,
		...judgingOutage(logger),
		lookMs: parts.judgingMs,
	});
	const webhooks = createWebhookDelivery({
		store,
		bank,
		post: createPoster({ allowLoopback: config.webhooksLoopback }),
		// Only one process serves an embedded store. So what it has leased before a restart is still its own.
		owner: config.databaseUrl ? randomUUID() : 'service',
		ended: metrics.webhookTried,
		failed: webhookFaults(logger),
		lookMs: parts.webhookLookMs,
	});
	const brand = createKnownBrand(store);
	// From here on, a store that is away leaves the brand as it was.
	await brand.read();
	const stopLinks = createStopLinks(store.deriveKey('links that stop mails'));
	const mails = config.mail && (await startMails(config.mail));
	if (!mails) void bank.keep({ kind: 'mail_setup', isOn: false });
	const payments = createPayments({
		...{ store, bank, logger, publicUrl, providers: paymentProviders, bounds: config.topUps },
		...{ counts: metrics.payments, lookMs: parts.paymentLookMs, sweepMs: parts.paymentSweepMs },
	});
	const accounts = createSettledReads(store, bank);
	const clientAddressOf = createClientAddresses(config.trustedProxies);
	const publicSide: FastifyInstance = createPublicListener({
		store: accounts,
		bank,
		topUps: payments.topUps,
		authenticator,
		addressOf: clientAddressOf,
		logger,
		metrics,
		nowMs,
		lenient: config.lenient,
		webhooksLoopback: config.webhooksLoopback,
		version,
		dashboard: config.dashboard ? dashboardParts() : undefined,
		hints: payments.hints,
		requestTimeouts,
		eventLookMs: parts.eventLookMs,
	});
	const edgeSide = config.edgePort === undefined ? undefined : createEdgeSide();
	const operatorSide = config.operatorPort === undefined ? undefined : createOperatorSide();
	const opsSide = createOpsListener({
		metrics,
		hostNames: config.opsHostNames,
		logger,
		nowMs,
		async unreadyBecause() {
			if (!stopping) await readCredentialsVersion().catch(() => {});
			return unreadyBecause();
		},
		warning: () => [clock.isSetBack && CLOCK_SET_BACK, outgrown].filter(Boolean).join('; ') || undefined,
	});

	function unreadyBecause(): string | undefined {
		return lost ?? (stopping ? 'stopping' : storeHealth.failure);
	}

	let knownUrl: string | undefined;
	/** Known once the service listens. */
	function publicUrl(): string {
		knownUrl ??= publicUrlOf(config, portOf(publicSide));
		return knownUrl;
	}

	/** Where proxy hosts reach the service. */
	function edgeUrl(): string | undefined {
		return edgeUrlOf({ ...config, ...(edgeSide && { edgePort: portOf(edgeSide.listener.app) }) });
	}

	function dashboardParts(): DashboardDependencies {
		return {
			store,
			accounts,
			bank,
			brand,
			verifier,
			makesBackups: store.backup !== undefined,
			forgetTokens: authenticator.forget,
			nowMs: () => store.nowMs(),
			publicUrl,
			webhooksLoopback: config.webhooksLoopback,
			operatorUrl: () => operatorSide && addressOf(operatorSide.app),
			edgeUrl,
			pagesFolder: parts.dashboardFolder,
			proxyAccess: () => ({
				proxy_urls: config.proxyUrls.length > 0 ? config.proxyUrls : (parts.proxyUrls?.() ?? []),
				options: config.proxyOptions,
			}),
			passwordCost: parts.passwordCost,
			fileLimits: parts.fileLimits,
			addressOf: clientAddressOf,
			challengeKey: store.deriveKey('passkey challenges'),
			browserKey: store.deriveKey('known browsers'),
			seenKey: store.deriveKey(SEEN_KEY),
			version,
			mail: config.mail && {
				server: `${config.mail.server.host}:${config.mail.server.port}`,
				from: config.mail.from.address,
			},
			stopLinks,
			pageSeal: createKeySeal(store.deriveKey('texts that pages keep')),
			topUps: payments.topUps,
			signInDone: metrics.signInDone,
		};
	}

	/** Its packages are large, so they are loaded only if they are needed. */
	async function startMails(mail: NonNullable<Config['mail']>): Promise<Mails> {
		const { createMails } = await import('./mail/mails.ts');
		const publicUrl = publicUrlOf(config, config.port);
		const { mailLookMs: lookMs, edgeSilentMs } = parts;
		return createMails({
			...mail,
			...{ store, bank, logger, publicUrl, stopLinks, brand, lookMs, edgeSilentMs },
			ended: metrics.mailEnded,
		});
	}

	function createEdgeSide(): { readonly listener: EdgeListener; readonly uses: EdgeUses } {
		const uses = createEdgeUses(bank, { writeMs: parts.edgeUsesMs });
		const keyIdSecret = store.deriveKey('edge key ids');
		const common = {
			logger,
			metrics,
			addressOf: clientAddressOf,
			nowMs: () => store.nowMs(),
			version,
			requestTimeouts,
		};
		const listener = createEdgeListener({
			store,
			bank,
			uses,
			maxGbps: config.edgeMaxGbps,
			keyIdSecret,
			...common,
		});
		return { listener, uses };
	}

	function createOperatorSide(): { readonly app: FastifyInstance; readonly uses: TokenUses } {
		const uses = createTokenUses(bank, { kind: 'operator_token_use', writeMs: parts.tokenUsesMs });
		const app = createOperatorListener({
			...{
				store,
				accounts,
				bank,
				topUps: payments.topUps,
				uses,
				logger,
				metrics,
				version,
				requestTimeouts,
				publicUrl,
				edgeUrl,
			},
			forgetTokens: authenticator.forget,
			addressOf: clientAddressOf,
			nowMs: () => store.nowMs(),
			answersNowMs: nowMs,
		});
		return { app, uses };
	}

	async function stop(): Promise<void> {
		stopping = true;
		usagePosting.close();
		judging.close();
		// The last uses are written while the bank still takes them.
		const lastUses = Promise.all([
			verifier.stop(),
			tokenUses.close(),
			edgeSide?.uses.close(),
			operatorSide?.uses.close(),
			mails?.stop(),
			webhooks.stop(),
			payments.stop(),
		]);
		await Promise.all([
			closeWithin(STOP_LIMIT_MS, publicSide),
			edgeSide && closeWithin(STOP_LIMIT_MS, edgeSide.listener.app),
			operatorSide && closeWithin(STOP_LIMIT_MS, operatorSide.app),
			lastUses.then(() => bank.stop()),
		]);
		authenticator.close();
		writeHealth.close();
		await closeWithin(OPS_STOP_LIMIT_MS, opsSide);
		await store.close();
	}

	const listeners = [
		publicSide,
		...[edgeSide?.listener.app, operatorSide?.app].filter((app) => app !== undefined),
		opsSide,
	];
	shareOpenFiles(
		listeners.map(({ server }) => server),
		openFilesLimit(),
		logger,
	);
	try {
		await opsSide.listen({ host: config.opsHost, port: config.opsPort });
		await publicSide.listen({ host: config.host, port: config.port });
		if (operatorSide) await operatorSide.app.listen({ host: config.operatorHost, port: config.operatorPort as number });
		if (edgeSide) await edgeSide.listener.app.listen({ host: config.edgeHost, port: config.edgePort as number });
	} catch (cause) {
		await stop();
		throw cause;
	}
	if (config.dashboard) void bank.keep({ kind: 'public_url', url: publicUrl() });
	return {
		url: addressOf(publicSide),
		opsUrl: addressOf(opsSide),
		...(operatorSide && { operatorUrl: addressOf(operatorSide.app) }),
		...(edgeSide && { edgeUrl: addressOf(edgeSide.listener.app) }),
		changePerson: bank.changePerson,
		hasOperator: async () => (await store.listPeopleOf(null)).length > 0,
		readEdges: async () => void (await edgeSide?.listener.readEdges()),
		stop,
		failed: store.lost,
	};
}

async function closeWithin(limitMs: number, listener: FastifyInstance): Promise<void> {
	const late = setTimeout(() => listener.server.closeAllConnections(), limitMs);
	await listener.close();
	clearTimeout(late);
}

function portOf(listener: FastifyInstance): number {
	return (listener.server.address() as AddressInfo).port;
}

function addressOf(listener: FastifyInstance): string {
	const { address, family, port } = listener.server.address() as AddressInfo;
	return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function outageLog(logger: Logger): OutageLog {
	return createOutageLog({
		failing: (fields) => logger.warn(fields, 'the store cannot be reached'),
		over: () => logger.warn('the store can be reached again'),
	});
}

/** Logs when bandwidth cannot be posted, and when it can be again. */
function postingObserver(logger: Logger): PostingObserver {
	const outage = createOutageLog({
		failing: (fields) => logger.error(fields, 'bandwidth could not be posted, which is tried again'),
		over: () => logger.warn('bandwidth can be posted again'),
	});
	return { failed: outage.failed, done: outage.over };
}

/** Logs when it cannot be looked what resellers are to be told, and when it can be again. */
function judgingOutage(logger: Logger) {
	const outage = createOutageLog({
		failing: (fields) =>
			logger.error(fields, 'it could not be looked what resellers are to be told, which is tried again'),
		over: () => logger.warn('it can be looked again what resellers are to be told'),
	});
	return { failed: outage.failed, done: outage.over };
}

/** Logs that this service itself cannot deliver to webhooks. What a receiver answers is not logged. */
function webhookFaults(logger: Logger) {
	return createOutageLog({
		failing: (fields) => logger.error(fields, 'events could not be sent to webhooks, which is tried again'),
		over: () => logger.warn('for ten seconds, events could be sent to webhooks again'),
		isOverWhenQuiet: true,
	}).failed;
}

/** Logs of the faults of batches, by kind. */
function batchFaultLogs(logger: Logger) {
	const logOf = (kind: string) =>
		createOutageLog({
			failing: (fields) => logger.error({ ...fields, kind }, 'group commits fail'),
			over: () => logger.warn({ kind }, 'no group commit has failed for ten seconds'),
			isOverWhenQuiet: true,
		});
	return {
		failed_alone: logOf('failed_alone'),
		not_done: logOf('not_done'),
		outcome_unknown: logOf('outcome_unknown'),
	};
}
