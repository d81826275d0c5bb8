import type { TestContext } from 'node:test';
import { startTestService, type TestService } from '@bursar/testing/service';
import { type Bursarctl, bursarctlFor } from './bursarctl.ts';

export interface Shop {
	readonly service: TestService;
	readonly token: string;
	readonly bursarctl: Bursarctl;
}

/** A new service with one reseller, and the command line for it. */
export async function openShop(
	test: TestContext,
	balanceCents = 10_000,
	environment: Readonly<Record<string, string>> = {},
): Promise<Shop> {
	const service = await startTestService(test, environment);
	const { token } = await service.openReseller('acme', balanceCents);
	return { service, token, bursarctl: bursarctlFor(test, service.url, token) };
}

/** The same, with these sub-users. */
export async function shopWith(test: TestContext, ...usernames: readonly string[]): Promise<Shop> {
	const shop = await openShop(test);
	for (const name of usernames) await shop.bursarctl.print('sub-user', 'create', name, '--yes');
	return shop;
}
