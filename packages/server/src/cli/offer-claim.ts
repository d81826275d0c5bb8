import { print, standardOutput } from '@bursar/terminal';
import type { Logger } from 'pino';
import { type Config, publicUrlOf } from '../config.ts';
import { linkUrl, newId, newLink, newRequestId } from '../credentials.ts';
import type { Service } from '../service.ts';
import { actOfCommand } from './command-line-act.ts';
import { iso } from './output.ts';

type Claimable = Pick<Service, 'url' | 'changePerson' | 'hasOperator'>;

const COMMAND = 'bursar operator claim';

/**
 * If the service has no operator yet, prints the link with which the first one claims it. The link is a secret, so it is
 * printed only for a person who looks at a terminal. The log gets only the command that makes such a link. Never rejects:
 * the service goes on without it.
 */
export async function offerClaim(
	service: Claimable,
	config: Config,
	logger: Logger,
	asJson: boolean | undefined,
): Promise<void> {
	if (!config.dashboard) return;
	try {
		if (!asJson && standardOutput().isTTY) await printLink(service, config);
		else if (!(await service.hasOperator())) {
			logger.info(`there is no operator yet: "${COMMAND}" prints a link for the first one`);
		}
	} catch (err) {
		logger.warn({ err }, `no link for the first operator could be made: use "${COMMAND}"`);
	}
}

async function printLink(service: Claimable, config: Config): Promise<void> {
	const { secret, linkHash } = newLink();
	const command = { kind: 'make_claim', id: newId(), linkHash } as const;
	const outcome = await service.changePerson({ ...command, unattended: actOfCommand(command, newRequestId()) });
	if (!outcome.ok) {
		if (outcome.error === 'operator_exists') return;
		throw new Error(`the store has refused it: ${outcome.error}`);
	}
	print([
		'',
		'There is no operator yet. Whoever opens this link becomes the first one:',
		'',
		`  ${linkUrl(publicUrlOf(config, Number(new URL(service.url).port)), secret)}`,
		'',
		`It is good once, until ${iso(outcome.expiresAtMs)}. For another one: ${COMMAND}`,
		'',
	]);
}
