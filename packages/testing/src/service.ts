import type { TestContext } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { createBank } from '../../server/src/bank/bank.ts';
import { type Config, readConfig } from '../../server/src/config.ts';
import { newProxyAuthkey, newToken } from '../../server/src/credentials.ts';
import { openStore } from '../../server/src/engine.ts';
import { type Service, type ServiceParts, startService } from '../../server/src/service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A service as `startService` builds it, on free ports and in a new folder. It ends with the test. */
export interface TestService extends Service {
	readonly config: Config;
	/** Opens a reseller as the operator would, while the service runs. */
	openReseller(username: string, balanceCents: number): Promise<TestReseller>;
}

export interface TestReseller {
	readonly username: string;
	readonly token: string;
}

/** Starts a service with the settings in `environment`, read as `serve` reads them. */
export async function startTestService(
	test: TestContext,
	environment: Readonly<Record<string, string>> = {},
	parts: ServiceParts = {},
): Promise<TestService> {
	let service: Service | undefined;
	let stopping: Promise<void> | undefined;
	const stop = async () => {
		stopping ??= service?.stop();
		await stopping;
	};
	// Hooks run in this order, so the folder is removed after the service has stopped.
	test.after(stop);
	const config = readConfig({
		BURSAR_PORT: '0',
		BURSAR_OPS_PORT: '0',
		BURSAR_DATA_DIR: temporaryFolder(test),
		BURSAR_LOG_LEVEL: 'silent',
		...environment,
	});
	service = await startService(config, createLogger(config.logLevel), parts);
	return { ...service, stop, config, openReseller: (...args) => openReseller(config, ...args) };
}

/** Opens a reseller in the store that the configuration names. */
export async function openReseller(config: Config, username: string, balanceCents: number): Promise<TestReseller> {
	const store = await openStore(config, { isBrief: true });
	const { token, ...kept } = newToken();
	const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });
	const outcome = await bank.submit({
		kind: 'create_reseller',
		reseller: username,
		requestId: 'test',
		proxyAuthkey: newProxyAuthkey(),
		...kept,
		madeBy: 'operator',
		openingBalanceCents: balanceCents,
	});
	await store.close();
	if (!outcome.ok) throw new Error(`the reseller could not be opened: ${outcome.error}`);
	return { username, token };
}
