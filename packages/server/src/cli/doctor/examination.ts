import { type Config, examineConfig } from '../../config.ts';
import { examineStore } from '../../engine.ts';
import { SEEN_KEY } from '../../seen-request.ts';
import type { Finding, StoreExamination } from '../../store/examination.ts';
import { checkBackup, checkLedger } from './books.ts';
import type { CheckResult } from './checks.ts';
import { checkClock } from './clock.ts';
import { checkWriters, findWrongUser } from './data-folder.ts';
import { checkDisk } from './disk.ts';
import { checkForwarding } from './forwarding.ts';
import { checkOpenFiles } from './open-files.ts';
import { checkPayments } from './payments.ts';
import { examinePublicUrl } from './public-url.ts';
import { checkService, findService } from './service.ts';
import { checkSettings, isMasterKeyUnknown, isStoreUnknown } from './settings.ts';
import { checkWebhooks } from './webhooks.ts';

const NO_STORE = 'The settings do not say which store it is.';

/** Runs all checks, and tells the result of each as soon as it is known. */
export async function examineInstallation(
	environment: Readonly<Record<string, string | undefined>>,
	tell: (result: CheckResult) => void,
): Promise<void> {
	const { config, problems } = examineConfig(environment);
	tell({ check: 'settings', findings: checkSettings(problems) });
	const service = findService(config);
	const wrongUser = config.databaseUrl || isStoreUnknown(problems) ? undefined : findWrongUser(config.dataDir);
	const disk = lookAtDisk(config, problems, wrongUser);
	// A disk that does not answer would also stop everything else that runs here.
	const store = disk.then(async () =>
		(await wrongUser) ? NOT_FOR_THIS_USER : lookAtStore(config, problems, environment.PGSSLMODE),
	);
	const seenKey = store.then(
		({ deriveKey }) => deriveKey?.(SEEN_KEY),
		() => undefined,
	);
	const publicUrl = examinePublicUrl(config, seenKey);

	async function tellOf(check: CheckResult['check'], findings: Promise<readonly Finding[]>): Promise<void> {
		tell({ check, findings: await findings.catch(faultFindings) });
	}
	await Promise.all([
		tellOf('disk', disk),
		tellOf(
			'store',
			store.then(({ store }) => store),
		),
		tellOf(
			'master_key',
			store.then(({ masterKey }) => masterKey),
		),
		tellOf(
			'ledger',
			store.then(({ state }) => (state ? [checkLedger(state, Date.now())] : [noState()])),
		),
		tellOf(
			'backup',
			store.then(({ state }) => (state ? [checkBackup(state, !config.databaseUrl, Date.now())] : [noState()])),
		),
		tellOf(
			'webhooks',
			store.then(({ state }) => [state ? checkWebhooks(state) : noState()]),
		),
		tellOf('payments', checkPayments(config)),
		tellOf(
			'open_files',
			// Nothing else runs while the parts of the service are loaded, which on a busy machine takes seconds.
			Promise.all([service, publicUrl]).then(([running]) => lookAtOpenFiles(config, running)),
		),
		tellOf(
			'service',
			Promise.all([service, store]).then(([running, { servedBy }]) => checkService(running, servedBy)),
		),
		tellOf(
			'public_url',
			publicUrl.then(({ findings }) => findings),
		),
		tellOf(
			'forwarding',
			publicUrl.then(({ seen }) => [checkForwarding(config, seen)]),
		),
		tellOf(
			'clock',
			Promise.all([store, publicUrl]).then(([found, { aheadMs }]) => checkClock(Date.now(), found, aheadMs)),
		),
	]);
}

async function lookAtDisk(
	{ databaseUrl, dataDir }: Config,
	problems: readonly string[],
	wrongUser: Promise<Finding | undefined> | undefined,
): Promise<readonly Finding[]> {
	if (isStoreUnknown(problems)) return skipped(NO_STORE);
	const obstacle = await wrongUser;
	if (obstacle) return [obstacle];
	if (!databaseUrl) return [...(await checkDisk(dataDir)), ...(await checkWriters(dataDir))];
	return skipped('The store is on the disk of the database server. Try pg_test_fsync there.');
}

async function lookAtStore(
	config: Config,
	problems: readonly string[],
	tlsMode: string | undefined,
): Promise<StoreExamination> {
	if (isStoreUnknown(problems)) return { store: skipped(NO_STORE), masterKey: skipped(NO_STORE) };
	const found = await examineStore(config, tlsMode);
	if (!isMasterKeyUnknown(problems)) return found;
	const { deriveKey: _, ...rest } = found;
	return { ...rest, masterKey: skipped('The settings of the master key cannot be used.') };
}

function skipped(text: string): Finding[] {
	return [{ state: 'skipped', text }];
}

/** The parts of the service, which say how many files it needs, are large. */
async function lookAtOpenFiles(config: Config, service: Awaited<ReturnType<typeof findService>>): Promise<Finding[]> {
	const [{ openFilesLimit }, { openFilesNeeded }] = await Promise.all([
		import('@bursar/terminal/open-files'),
		import('../../service.ts'),
	]);
	return checkOpenFiles(service, openFilesLimit(), openFilesNeeded(config));
}

const CLOSED = 'This user may not use the data folder.';
const NOT_FOR_THIS_USER: StoreExamination = { store: skipped(CLOSED), masterKey: skipped(CLOSED) };

function noState(): Finding {
	return { state: 'skipped', text: 'The store could not be read.' };
}

function faultFindings(cause: unknown): readonly Finding[] {
	return [{ state: 'problem', text: `This could not be checked: ${(cause as Error).message}.` }];
}
