import { Command } from 'commander';
import { type Config, readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { openStore, startService } from '../../main.ts';
import { createDemo, type Demo } from '../demo.ts';
import { print } from '../output.ts';
import { untilStopped } from './serve.ts';

/** `bursar dev`: the service with something in it to look at. */
export function devCommand(): Command {
	return new Command('dev')
		.description('run the service, with a demo reseller where the data directory is empty')
		.addHelpText('after', '\nExample:\n  $ bursar dev\n')
		.action(async () => {
			const config = readConfig(process.env);
			const logger = createLogger(config.logLevel);
			const demo = await demoForEmptyStore(config);
			const service = await startService(config, logger);
			for (const line of welcome(service.url, service.opsUrl, demo)) print(line);
			await untilStopped(service, logger);
		});
}

async function demoForEmptyStore(config: Config): Promise<Demo | undefined> {
	const store = await openStore(config);
	try {
		const isEmpty = (await store.listResellers('', 1)).length === 0;
		return isEmpty ? await createDemo(store) : undefined;
	} finally {
		await store.close();
	}
}

function welcome(url: string, opsUrl: string, demo: Demo | undefined): string[] {
	const lines = [
		'',
		`Bursar is ready at ${url}`,
		`  API reference  ${url}/docs`,
		`  operations     ${opsUrl}/metrics`,
		'',
	];
	if (!demo) {
		return [...lines, 'Tokens are shown once. For a new one: npx bursar reseller revoke-token NAME', ''];
	}
	return [
		...lines,
		`A demo reseller, ${demo.reseller}, has a balance, sub-users and 90 days of usage.`,
		'Its token is shown only this once:',
		'',
		`  ${demo.token}`,
		'',
		'Try it:',
		'',
		`  curl -H 'Authorization: Bearer ${demo.token}' ${url}/reseller/my_info`,
		'',
	];
}
